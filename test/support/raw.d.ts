declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Provided by Vite: every file that matches the pattern, by its path. */
  glob<T>(pattern: string, options: { query: string; import: string; eager: true }): Record<string, T>;
}
