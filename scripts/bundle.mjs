// Bundles the output of tsc for `workspacectl` into few files, because hundreds of small modules take longer to load than to run.
// Each command stays a file of its own that is loaded on demand.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { resolve } from "node:path";
import { build } from "esbuild";

const emulator = resolve("dist/emulator/index.js");
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
// Dependencies that most commands load and that consist of code only are bundled: they are devDependencies of the package.
const { engines, dependencies, devDependencies } = read("packages/workspacectl/package.json");

/**
 * Bundles the dependencies of bundled packages too, since they may not be resolvable from here. The emulator is a package of its
 * own, which the sources import by path.
 */
const packages = {
  name: "packages",
  setup({ onResolve }) {
    onResolve({ filter: /\/emulator\/index\.js$/ }, ({ path, resolveDir }) =>
      resolve(resolveDir, path) === emulator
        ? { path: "workspace-automation-emulator", external: true }
        : undefined,
    );
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (importer === "" || importer.includes("node_modules") || builtinModules.includes(path)) return;
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(path);
      if (path.startsWith("node:") || name in dependencies) return { path, external: true };
      if (name in devDependencies) return;
      throw new Error(`${importer} imports ${name}, which packages/workspacectl/package.json does not name`);
    });
  },
};

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
  // CommonJS packages use it to load modules of Node.js.
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
