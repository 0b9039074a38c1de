/** Lets the rooms of this repository run in a browser: replaces the modules that exist in Node.js only. */
import { builtinModules } from "node:module";

const PREFIX = "\0absent:";

/** Modules whose functions the playground calls, by their name in Node.js. */
const substitutes: Readonly<Record<string, string>> = {
  path: 'import * as path from "pathe"; export default path; export * from "pathe";',
  util: 'import isDeepStrictEqual from "fast-deep-equal/es6"; export default { isDeepStrictEqual };',
  // The loader gets the texts of all files. There are no others.
  fs: "export default { existsSync: () => false };",
};

/** Modules that are loaded and never called: they send requests, start programs, or read and write files. */
const unused = new Set([
  ...builtinModules,
  "jiti",
  "oauth4webapi",
  "prettier/plugins/estree",
  "prettier/plugins/yaml",
  "prettier/standalone",
  "proper-lockfile",
  "undici",
  "write-file-atomic",
]);

/** Throws as soon as one of its functions is called. */
const exportNone = (name: string) =>
  `const none = new Proxy(function () {}, { get: () => none, apply() { throw new Error("${name} is not available here"); } });`;

/** A plugin of Vite. */
export function replaceAbsentModules() {
  return {
    name: "absent-modules",
    enforce: "pre" as const,
    resolveId(id: string) {
      const name = id.replace(/^node:/, "");
      return name in substitutes || unused.has(name) ? PREFIX + name : undefined;
    },
    load(id: string) {
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      const code = `${exportNone(name)}\n${substitutes[name] ?? "export default none;"}`;
      return { code, syntheticNamedExports: true };
    },
  };
}
