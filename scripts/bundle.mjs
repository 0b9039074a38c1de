// Bundles the output of tsc, because hundreds of small modules take longer to load than to run: `workspacectl` with a file per command
// that is loaded on demand, and the packaged Pulumi plugin.
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

const common = {
  write: false,
  bundle: true,
  platform: "node",
  target: `node${/\d+\.\d+/.exec(engines.node)[0]}`,
  format: "esm",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
};
// CommonJS packages use it to load modules of Node.js.
const require =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

rmSync("dist/bin", { recursive: true, force: true });
const { outputFiles } = await build({
  ...common,
  entryPoints: { workspacectl: "dist/cli/bin.js" },
  outdir: "dist/bin",
  chunkNames: "[name]-[hash]",
  splitting: true,
  plugins: [packages],
  banner: { js: require },
});

mkdirSync("dist/bin", { recursive: true });
for (const { path, text } of outputFiles) {
  const unknown = /\b__(file|dir)name\b/.exec(text);
  if (unknown)
    throw new Error(`${path} asks for ${unknown[0]}, which a bundle has not: leave the package out of it`);
  writeFileSync(path, text);
}

/** The folder of the plugin has all that it needs, wherever Pulumi puts it: it knows its version without a package.json. */
const ownVersion = {
  name: "own-version",
  setup({ onLoad }) {
    const { version } = read("packages/library/package.json");
    const asked =
      /createRequire\(import\.meta\.url\)\(\s*"pulumi-workspace-automation\/package\.json",?\s*\)/;
    onLoad({ filter: /[\\/]client[\\/]version\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!asked.test(text)) throw new Error(`${path} no longer reads the version from package.json`);
      return { contents: text.replace(asked, JSON.stringify({ version })) };
    });
  },
};

/** Removes the clients that come with the definitions of Pulumi's services. The plugin does not use them, and they would double what it loads. */
const noClients = {
  name: "no-clients",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@grpc\/grpc-js$/ }, () => ({ path: "clients", namespace: "none" }));
    const contents = "exports.makeGenericClientConstructor = () => undefined;";
    onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents }));
  },
};

rmSync("dist/plugin", { recursive: true, force: true });
await build({
  ...common,
  write: true,
  entryPoints: { index: "dist/provider/adapters/plugin/main.js" },
  outdir: "dist/plugin",
  chunkNames: "[name]-[hash]",
  splitting: true,
  minifyIdentifiers: true,
  plugins: [ownVersion, noClients],
  banner: { js: require },
});
