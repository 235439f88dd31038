/*
 * The dashboard for Grafana, made from one list of queries, which test/e2e/traffic/monitoring.e2e.ts sends to Prometheus.
 */

interface Panel {
  title: string;
  /** Grafana's name of the unit. */
  unit: string;
  queries: { expr: string; legend: string }[];
}

const panel = (title: string, unit: string, ...queries: [expr: string, legend: string][]): Panel => ({
  title,
  unit,
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
});

const rows: [title: string, panels: Panel[]][] = [
  [
    "Configuration",
    [
      panel("Changes per hour", "short", ["increase(edge_changes_total[1h])", "changes"]),
      panel("Open plans", "short", ["edge_plans_open", "plans"]),
      panel("Release", "short", ["edge_build_info", "{{version}}"]),
    ],
  ],
  [
    "Agents",
    [
      panel("Up", "bool_yes_no", ["edge_agent_up", "{{agent}}"]),
      panel("Serves the newest snapshot that it has", "bool_yes_no", ["edge_agent_ok", "{{agent}}"]),
      panel("Behind", "s", ["edge_agent_behind_seconds", "{{agent}}"]),
      panel("Problems", "short", ["edge_agent_problems", "{{agent}}"]),
      panel("Since the service last answered", "s", [
        "time() - edge_local_last_poll_timestamp_seconds",
        "{{instance}}",
      ]),
      panel("Changes without a reload, per hour", "short", [
        "increase(edge_local_runtime_changes_total[1h])",
        "{{instance}} {{result}}",
      ]),
      panel("Reloads per hour", "short", [
        "increase(edge_local_reloads_total[1h])",
        "{{instance}} {{result}}",
      ]),
      panel("Until certificates end", "d", [
        "(edge_local_certificate_expiry_timestamp_seconds - time()) / 86400",
        "{{instance}} {{file}}",
      ]),
    ],
  ],
  [
    "Event deliveries",
    [
      panel("Delay", "s", ["edge_delivery_lag_seconds", "{{destination}}"]),
      panel("Failed attempts since the last success", "short", ["edge_delivery_failures", "{{destination}}"]),
      panel("Suspended", "bool_yes_no", ["edge_delivery_suspended", "{{destination}}"]),
      panel(
        "Events per hour",
        "short",
        ["increase(edge_delivery_events_total[1h])", "delivered {{destination}}"],
        ["increase(edge_dead_letters_total[1h])", "rejected {{destination}}"],
        ["increase(edge_delivery_lost_events_total[1h])", "lost {{destination}}"],
      ),
    ],
  ],
  [
    "Traffic",
    [
      panel("Responses", "reqps", [
        'sum by (code) (rate(haproxy_frontend_http_responses_total{proxy!="metrics"}[5m]))',
        "{{code}}",
      ]),
      panel("Connections", "short", ["haproxy_process_current_connections", "{{instance}}"]),
      panel(
        "Bytes",
        "Bps",
        ['sum(rate(haproxy_frontend_bytes_in_total{proxy!="metrics"}[5m]))', "in"],
        ['sum(rate(haproxy_frontend_bytes_out_total{proxy!="metrics"}[5m]))', "out"],
      ),
    ],
  ],
];

/** Every query of the dashboard. */
export const dashboardQueries = (): string[] =>
  rows.flatMap(([, panels]) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)));

const WIDTH = 24;
const PER_LINE = 3;
const HEIGHT = 7;

/** The dashboard as JSON, in the form that Grafana imports. */
export function dashboard(): string {
  const source = { type: "prometheus", uid: "${datasource}" };
  let y = 0;
  let id = 0;
  const panels = rows.flatMap(([title, own]) => {
    const row = {
      type: "row",
      title,
      id: ++id,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: y++, w: WIDTH, h: 1 },
    };
    const placed = own.map(({ title: name, unit, queries }, index) => ({
      type: "timeseries",
      title: name,
      id: ++id,
      datasource: source,
      gridPos: {
        x: (index % PER_LINE) * (WIDTH / PER_LINE),
        y: y + Math.floor(index / PER_LINE) * HEIGHT,
        w: WIDTH / PER_LINE,
        h: HEIGHT,
      },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(({ expr, legend }, n) => ({
        refId: String.fromCharCode(65 + n),
        datasource: source,
        expr,
        legendFormat: legend,
      })),
    }));
    y += Math.ceil(own.length / PER_LINE) * HEIGHT;
    return [row, ...placed];
  });
  const value = {
    title: "Edge configuration",
    uid: "edge-configuration",
    tags: ["edge"],
    timezone: "utc",
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    schemaVersion: 39,
    templating: {
      list: [
        { name: "datasource", label: "Data source", type: "datasource", query: "prometheus", current: {} },
      ],
    },
    panels,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
