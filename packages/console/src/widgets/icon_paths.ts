/** The icons, as paths of 16 by 16 pixels, by the page that they stand for or by what they mean. */
const paths = {
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
  agents: "M2.5 3h11v7h-11zM5.5 13h5M8 10v3",
  certificates:
    "M2.5 3h11v7.5h-6M2.5 3v7.5h1M5 6h6M3.8 11.2a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M4.4 12.6v2.2l1.2-.7 1.2.7v-2.2",
  keys: "M2.5 10.8a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0M7.2 8.8l6-6M11 5l2 2",
  people: "M5.5 5.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M3 13.5c.4-2.8 2.4-4 5-4s4.6 1.2 5 4",
  guides:
    "M8 4C6.5 2.8 4.5 2.5 2.5 2.7v9.8c2-.2 4 .1 5.5 1.3 1.5-1.2 3.5-1.5 5.5-1.3V2.7C11.5 2.5 9.5 2.8 8 4zM8 4v9.8",
  docs: "M3.5 2h6l3 3v9h-9zM9.5 2v3h3M6 8.5h4M6 11h4",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  back: "M9.5 4.5L6 8l3.5 3.5",
  next: "M6.5 4.5L10 8l-3.5 3.5",
  open: "M4.5 6.5L8 10l3.5-3.5",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  find: "M3 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0M10 10l3.5 3.5",
  allow: "M3 8.5l3.2 3L13 4.5",
  deny: "M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M4.2 4.2l7.6 7.6",
  in: "M8.5 2.5h5v11h-5M2 8h7M6.3 5.2L9.2 8l-2.9 2.8",
  add: "M8 3v10M3 8h10",
  warn: "M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6h.01",
  error: "M5.3 2h5.4L14 5.3v5.4L10.7 14H5.3L2 10.7V5.3zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4",
  clock: "M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M8 5v3.2l2.2 1.3",
  globe:
    "M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M2.5 8h11M8 2.5c-4 3.7-4 7.3 0 11M8 2.5c4 3.7 4 7.3 0 11",
  unchecked: "M8 1.8l5 2v4c0 3.2-2.1 5.4-5 6.4-2.9-1-5-3.2-5-6.400v-4zM5.8 6l4.4 4.400M10.2 6l-4.4 4.4",
  swap: "M3 5.5h10M10.5 3L13 5.5 10.5 8M13 10.5H3M5.5 8L3 10.5 5.5 13",
  undo: "M5.5 3L2.5 6l3 3M2.5 6h7a3.8 3.8 0 0 1 0 7.500H6",
  to: "M3 8h10M9 4l4 4-4 4",
} as const;

export type IconName = keyof typeof paths;

const isName = (name: string): name is IconName => Object.hasOwn(paths, name);

/** The path of an icon; empty if there is none of this name. */
export const iconPath = (name: string): string => (isName(name) ? paths[name] : "");
