/** A page in the side bar; `isTab` puts it at the bottom of a phone. */
interface Entry {
  name: string;
  text: string;
  isTab?: true;
  isForAdmins?: true;
}

const groups: { title: string; pages: Entry[] }[] = [
  {
    title: "",
    pages: [
      { name: "", text: "Overview", isTab: true },
      { name: "map", text: "Map" },
      { name: "simulate", text: "Simulate" },
    ],
  },
  {
    title: "Configuration",
    pages: [
      { name: "edges", text: "Edges", isTab: true },
      { name: "policies", text: "IP policies", isTab: true },
      { name: "backends", text: "Backends" },
      { name: "authorities", text: "Authorities" },
    ],
  },
  {
    title: "Operation",
    pages: [
      { name: "certificates", text: "Certificates" },
      { name: "agents", text: "Agents" },
      { name: "changes", text: "Changes", isTab: true },
      { name: "plans", text: "Plans" },
      { name: "deliveries", text: "Deliveries" },
    ],
  },
  {
    title: "Access",
    pages: [
      { name: "keys", text: "Keys and bots", isForAdmins: true },
      { name: "people", text: "People", isForAdmins: true },
    ],
  },
  {
    title: "Help",
    pages: [
      { name: "guides", text: "Guides" },
      { name: "docs", text: "API reference" },
    ],
  },
];

/** The pages that a role sees, in groups. */
export const navigation = (role: string): { title: string; pages: Entry[] }[] =>
  groups
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter(({ isForAdmins }) => role === "admin" || !isForAdmins),
    }))
    .filter(({ pages }) => pages.length > 0);

/** The tabs at the bottom of a phone. */
export const tabs: Entry[] = [
  ...groups
    .flatMap(({ pages }) => pages)
    .filter(({ isTab }) => isTab)
    .map((page) => ({ ...page, text: page.text.replace("IP policies", "Policies") })),
  { name: "more", text: "More" },
];

const elsewhere: Record<string, string> = { docs: "/docs/reference", guides: "/docs/guides" };

/** The link to a page of the side bar. */
export const linkTo = (name: string): string => elsewhere[name] ?? `#/${name}`;
