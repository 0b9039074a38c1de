// Puts `workspacectl` into few files, after tsc: hundreds of small modules take longer to find and read than to run.
// Each command stays a file of its own that is loaded when it is needed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

// What most commands load, and is nothing but code. Everything else stays a package.
const bundled = [
  ...[
    "commander",
    "croner",
    "env-paths",
    "execa",
    "fastest-levenshtein",
    "oauth4webapi",
    "p-limit",
    "picocolors",
  ],
  ...["picomatch", "tinyglobby", "yaml", "zod"],
];

/** What a bundled package needs is bundled with it: from here it may not be found. */
const packages = {
  name: "packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOurs = importer !== "" && !importer.includes("node_modules");
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(path);
      return isOurs && !bundled.includes(name) ? { path, external: true } : undefined;
    });
  },
};

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist/bin", { recursive: true, force: true });
const { outputFiles } = await build({
  write: false,
  entryPoints: { workspacectl: "dist/cli/bin.js" },
  outdir: "dist/bin",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  target: `node${/\d+\.\d+/.exec(engines.node)[0]}`,
  format: "esm",
  plugins: [packages],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  // Packages in CommonJS ask for modules of Node.js by it.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
});

mkdirSync("dist/bin", { recursive: true });
for (const { path, text } of outputFiles) {
  const unknown = /\b__(file|dir)name\b/.exec(text);
  if (unknown)
    throw new Error(`${path} asks for ${unknown[0]}, which a bundle has not: leave the package out of it`);
  writeFileSync(path, text);
}
