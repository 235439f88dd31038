/** The icons of the side bar, by page. */
const paths: Record<string, string> = {
  "": "M2.5 2.5h5v6h-5zM10.5 2.5h3v3h-3zM10.5 8.5h3v5h-3zM2.5 11.5h5v2h-5z",
  map: "M1.8 8a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0M10.8 3.5a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0M10.8 12.5a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0M5.2 7.4l5.7-3M5.2 8.6l5.7 3",
  simulate: "M4.5 2.5l8 5.5-8 5.5z",
  edges: "M2.5 4.5h7l3.5 3.5-3.5 3.5h-7M2.5 8h6",
  policies: "M8 1.8l5 2v4c0 3.2-2.1 5.4-5 6.4-2.9-1-5-3.2-5-6.4v-4z",
  backends: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  authorities: "M4.3 6.2a3.7 3.7 0 1 0 7.4 0 3.7 3.7 0 1 0-7.4 0M6 9.4l-1 4.8 3-1.6 3 1.6-1-4.8",
  plans: "M3 3.5l1.2 1.2L6.4 2.5M3 8.5l1.2 1.2 2.2-2.2M8.5 4h5M8.5 9h5M3 13h10.5",
  changes: "M2.5 8a5.5 5.5 0 1 0 1.8-4.1M2.5 2.5v3h3M8 5v3.2l2.2 1.3",
  deliveries: "M14 2L7 9M14 2l-4.5 12L7 9 2 6.5z",
  agents: "M3 10.5a5 5 0 0 1 10 0M5.5 10.5a2.5 2.5 0 0 1 5 0M8 10.5v3M2.5 13.5h11",
  certificates: "M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3",
  keys: "M2.5 10.8a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0M7.2 8.8l6-6M11 5l2 2",
  people: "M5.5 5.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M3 13.5c.4-2.8 2.4-4 5-4s4.6 1.2 5 4",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  docs: "M3.5 2h6l3 3v9h-9zM9.5 2v3h3M6 8.5h4M6 11h4",
};

/** An icon next to its name, so it is hidden from screen readers. */
export const Icon = ({ name }: { name: string }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name] ?? ""} />
  </svg>
);
