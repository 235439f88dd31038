import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { networksOf, type Sources } from "../../../model/src/traffic/networks.ts";
import { type Block, cellOf, curve, EVERYTHING, networkOf, orderOf, shares } from "../base/hilbert.ts";
import type { RuleInput } from "../base/networks.ts";
import { isDark } from "../base/theme.ts";
import { sourcesNow } from "../facts/sources.ts";
import { percent } from "../facts/traffic.ts";
import { Panel } from "./page.tsx";

/** Pixels of a side of the picture: a multiple of 64. */
const SIDE = 320;

/** The most networks in the table for screen readers. */
const MOST = 200;

/** Whom rules let in, of all IPv4 addresses: each cell is a network, and a click shows what is in it. */
export function AddressPicture({ rules }: { rules: RuleInput[] }) {
  const [path, setPath] = useState<Block[]>([]);
  const [pointed, setPointed] = useState<number>();
  const block = path.at(-1) ?? EVERYTHING;
  const sources = useMemo(() => sourcesNow(rules), [rules]);
  const cells = useMemo(() => shares(block, sources[32]), [block, sources]);
  const order = orderOf(block);
  const places = useMemo(() => curve(order), [order]);
  const squares = 2 ** Math.min(order, 4);
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = isDark.value;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const style = getComputedStyle(context.canvas);
    const [none, all, ground] = ["--map-out", "--map-in", "--bg"].map((name) => style.getPropertyValue(name));
    const part = hatched(context, none ?? "", all ?? "");
    const width = SIDE / 2 ** order;
    for (const [place, [x, y]] of places.entries()) {
      const share = cells[place] ?? 0;
      context.fillStyle = (share === 0 ? none : share === 1 ? all : part) ?? "";
      context.fillRect(x * width, y * width, width, width);
    }
    context.fillStyle = ground ?? "";
    for (let at = SIDE / squares; at < SIDE; at += SIDE / squares) {
      context.fillRect(at - 1, 0, 1, SIDE);
      context.fillRect(0, at - 1, SIDE, 1);
    }
  }, [cells, places, order, squares, theme]);
  const placeAt = (event: MouseEvent): number => {
    const { left, top, width } = canvas.current?.getBoundingClientRect() ?? new DOMRect();
    const at = (distance: number) => Math.floor((distance / width) * 2 ** order);
    const [column, row] = [at(event.clientX - left), at(event.clientY - top)];
    return places.findIndex(([x, y]) => x === column && y === row);
  };
  const zoom = (event: MouseEvent): void => {
    const cell = cellOf(block, placeAt(event));
    if (cell.prefix < 32) setPath([...path, cell]);
  };
  const shown = pointed === undefined ? block : cellOf(block, pointed);
  const share = pointed === undefined ? undefined : cells[pointed];
  return (
    <Panel
      title="IPv4 addresses"
      aside={
        path.length > 0 ? (
          <button type="button" class="btn q s" onClick={() => setPath(path.slice(0, -1))}>
            Back
          </button>
        ) : (
          `${percent(
            cells.reduce((sum, one) => sum + one, 0),
            cells.length,
          )} get in`
        )
      }
    >
      <div class="pad stack">
        <canvas
          ref={canvas}
          class="hilbert"
          width={SIDE}
          height={SIDE}
          aria-hidden="true"
          onClick={zoom}
          onMouseMove={(event) => setPointed(placeAt(event))}
          onMouseLeave={() => setPointed(undefined)}
        />
        <p class="meta" aria-hidden="true">
          <span class="mono">{networkOf(shown)}</span>
          {share !== undefined && ` · ${share === 0 ? "refused" : share === 1 ? "gets in" : "in part"}`}
        </p>
        <Legend square={block.prefix + 2 * Math.min(order, 4)} />
      </div>
      <Networks sources={sources} />
    </Panel>
  );
}

/** What the colours mean. @param props.square the length of the prefix of the network in a square of the grid */
function Legend({ square }: { square: number }) {
  return (
    <p class="legend" aria-hidden="true">
      {(["in", "part", "out"] as const).map((kind) => (
        <span key={kind}>
          <i class={`cell ${kind}`} />
          {{ in: "get in", part: "in part", out: "refused" }[kind]}
        </span>
      ))}
      <span class="push">a square is a /{square}</span>
    </p>
  );
}

/** Stripes in two colours, for cells that are let in only in part. */
function hatched(context: CanvasRenderingContext2D, ground: string, stripe: string): CanvasPattern | null {
  const tile = new OffscreenCanvas(4, 4);
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, 4, 4);
  pen.fillStyle = stripe;
  for (let x = 0; x < 4; x += 1) pen.fillRect(x, 3 - x, 2, 1);
  pen.fillRect(0, 3, 1, 1);
  return context.createPattern(tile, "repeat");
}

/** The same as a table, for screen readers. */
function Networks({ sources }: { sources: Sources }) {
  const networks = useMemo(() => firstOf(networksOf({ ...sources, 128: [] })), [sources]);
  return (
    <div class="hidden">
      <table aria-label="IPv4 networks that get in">
        <tbody>
          {networks.length === 0 && (
            <tr>
              <td>None</td>
            </tr>
          )}
          {networks.map((network) => (
            <tr key={network}>
              <td>{network}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function firstOf(networks: Iterable<string>): string[] {
  const first: string[] = [];
  for (const network of networks) {
    if (first.length === MOST) break;
    first.push(network);
  }
  return first;
}
