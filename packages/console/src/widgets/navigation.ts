import { link } from "../base/routes.ts";

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
      { name: "map", text: "Map", isTab: true },
      { name: "simulate", text: "Simulate" },
    ],
  },
  {
    title: "Configuration",
    pages: [
      { name: "edges", text: "Edges" },
      { name: "policies", text: "IP policies", isTab: true },
      { name: "backends", text: "Backends" },
      { name: "authorities", text: "Authorities" },
    ],
  },
  {
    title: "Operation",
    pages: [
      { name: "changes", text: "Changes", isTab: true },
      { name: "plans", text: "Plans" },
      { name: "deliveries", text: "Deliveries" },
      { name: "agents", text: "Agents" },
      { name: "certificates", text: "Certificates" },
    ],
  },
  {
    title: "Access",
    pages: [
      { name: "keys", text: "Keys and bots", isForAdmins: true },
      { name: "people", text: "People", isForAdmins: true },
      { name: "docs", text: "API reference" },
    ],
  },
];

/** The pages that a role sees, in groups. */
export const navigation = (role: string): { title: string; pages: Entry[] }[] =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.filter(({ isForAdmins }) => role === "admin" || !isForAdmins),
  }));

/** The tabs at the bottom of a phone. */
export const tabs: Entry[] = [
  ...groups.flatMap(({ pages }) => pages).filter(({ isTab }) => isTab),
  { name: "more", text: "More" },
];

/** The link to a page of the side bar. */
export const linkTo = (name: string): string => (name === "docs" ? "/docs" : link(name));
