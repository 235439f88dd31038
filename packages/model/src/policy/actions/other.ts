import type { Json } from "../../json.ts";
import type { VarValue } from "../base/program.ts";
import { aList, aString, PARTLY } from "../base/reader.ts";
import { invalid, notEnforced } from "../base/wrong.ts";
import { templateOf } from "../expressions/templates.ts";
import { type ActionType, type ActionContext, CQS, template } from "./context.ts";

const MOST_VARS = 20;
const MOST_ITEMS = 200;

/** Declares a variable, and reads its value. @throws Wrong */
function assigned(name: string, value: Json, { scope, rangeOf }: ActionContext): VarValue {
  if (!/^[A-Za-z_]\w{0,63}$/.test(name)) invalid(`${JSON.stringify(name)} is not a name.`);
  const known = scope.vars.get(name);
  const type = Array.isArray(value)
    ? "list"
    : typeof value === "number"
      ? "int"
      : typeof value === "boolean"
        ? "bool"
        : "string";
  if (known && known.type !== type) invalid(`The variable "${name}" has another type before: ${known.type}.`);
  if (Array.isArray(value)) {
    if (value.length > MOST_ITEMS) notEnforced(`The list has more than ${MOST_ITEMS} items.`);
    const items = value.map((item) =>
      typeof item === "string" || Number.isSafeInteger(item)
        ? item
        : notEnforced("Only lists of strings or whole numbers are enforced."),
    );
    const list = items.filter((item) => typeof item === "string" || typeof item === "number");
    const lists = known?.type === "list" ? [...known.values, list] : [list];
    scope.vars.set(name, { type: "list", values: lists });
    return { int: lists.length - 1 };
  }
  if (typeof value === "number" && !Number.isSafeInteger(value))
    return notEnforced("Only whole numbers are enforced.");
  // An expression can refer to an earlier assignment of the variable.
  const read: VarValue =
    typeof value === "number"
      ? { int: value }
      : typeof value === "boolean"
        ? { bool: value }
        : { text: templateOf(aString(8192)(value), scope, rangeOf) };
  scope.vars.set(name, { type: type === "list" ? "string" : type });
  return read;
}

const setVars: ActionType = {
  phases: CQS,
  terminates: "never",
  compile(context) {
    const one = (value: Json): { name: string; value: VarValue } => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return invalid("Expected an object with one member.");
      const [entry, ...more] = Object.entries(value);
      if (!entry || more.length > 0) return invalid("Expected an object with one member.");
      return { name: entry[0], value: assigned(...entry, context) };
    };
    const vars = context.config.only(["vars"]).read("vars", aList(context.findings, one, 1, MOST_VARS));
    return vars && { do: "set_vars", vars };
  },
};

const log: ActionType = {
  phases: CQS,
  terminates: "never",
  compile(context) {
    const { config, findings } = context;
    config.only(["metadata"]);
    const texts = (value: Json): void => {
      if (typeof value === "string") template(context)(value);
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(texts);
    };
    config.read("metadata", (value) => [texts(value)], []);
    findings.warn(PARTLY, config.path, "Nothing is logged: this action is left out.");
    return { do: "log" };
  },
};

const compressResponse: ActionType = {
  phases: ["on_http_response"],
  terminates: "never",
  compile({ config, findings, isConditional }) {
    const name = (value: Json): string =>
      typeof value === "string" && /^(?:gzip|deflate|br|zstd|compress)$/.test(value)
        ? value
        : invalid("Expected an algorithm such as gzip.");
    const all = config
      .only(["algorithms"])
      .read("algorithms", aList(findings, name, 1, MOST_VARS), ["gzip", "deflate"]);
    if (isConditional)
      return findings.try(config.path, () =>
        notEnforced("Compression in a rule with expressions is not enforced."),
      );
    const algorithms = all?.filter((each) => each === "gzip" || each === "deflate");
    const others = all?.filter((each) => each !== "gzip" && each !== "deflate") ?? [];
    if (others.length > 0) findings.warn(PARTLY, config.path, `Left out: ${others.join(", ")}.`);
    return algorithms && { do: "compress", algorithms: [...new Set(algorithms)] };
  },
};

/** Actions that neither respond nor decide who is let in. */
export const others: Record<string, ActionType> = {
  "set-vars": setVars,
  log,
  "compress-response": compressResponse,
};
