/** A page in the side bar; `isTab` puts it at the bottom of a phone. */
interface Entry {
  name: string;
  text: string;
  isTab?: true;
  isForAdmins?: true;
}

const groups: { title: string; pages: Entry[] }[] = [
  { title: "", pages: [{ name: "", text: "Overview", isTab: true }] },
  { title: "Configuration", pages: [{ name: "policies", text: "IP policies", isTab: true }] },
  { title: "Access", pages: [{ name: "docs", text: "API reference" }] },
];

/** The pages that a role sees, in groups. */
export const navigation = (role: string): { title: string; pages: Entry[] }[] =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.filter(({ isForAdmins }) => role === "admin" || !isForAdmins),
  }));
