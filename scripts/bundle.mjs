// Bundles the output of tsc, because hundreds of small modules take longer to load than to run: `workspacectl` with a file per command
// that is loaded on demand, the API of programs with the same files, and the packaged Pulumi plugin as one file.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { resolve } from "node:path";
import { build } from "esbuild";
import { writeThirdParty } from "./third-party.mjs";

const emulator = resolve("dist/emulator/index.js");
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
// Dependencies that most commands load and that consist of code only are bundled: they are devDependencies of the package.
const command = read("packages/workspacectl/package.json");
const { engines, dependencies, peerDependencies, devDependencies } = command;

/** Modules of Pulumi's SDK that only contain messages. The rest of it is not bundled, because the command needs none of it. */
const messages = /^@pulumi\/pulumi\/proto\//;

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
      // Whoever needs a peer dependency installs it.
      if (path.startsWith("node:") || name in dependencies || name in peerDependencies)
        return { path, external: true };
      if (name === "@pulumi/pulumi" && !messages.test(path))
        throw new Error(`${importer} imports ${path}, of which only the messages are bundled`);
      if (name in devDependencies) return;
      throw new Error(`${importer} imports ${name}, which packages/workspacectl/package.json does not name`);
    });
  },
};

/** Omits zod's messages in 50 languages, which are half of its code. */
const oneLanguage = {
  name: "one-language",
  setup({ onLoad }) {
    const contents = 'export { default as en } from "./en.js";';
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents }));
  },
};

/** Keeps zod from compiling each schema before its first use, which takes longer than a command saves by it. */
const interpreted = {
  name: "interpreted",
  setup({ onLoad }) {
    const empty = "__zod_globalConfig = {}";
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes(empty)) throw new Error(`${path} no longer begins with an empty configuration`);
      return { contents: text.replace(empty, "__zod_globalConfig = { jitless: true }") };
    });
  },
};

/** Removes the clients that come with the definitions of Pulumi's services. Nothing here uses them, and they would double what is loaded. */
const noClients = {
  name: "no-clients",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@grpc\/grpc-js$/ }, () => ({ path: "clients", namespace: "none" }));
    const contents = "exports.makeGenericClientConstructor = () => undefined;";
    onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents }));
  },
};

/** Takes only the connections of undici. Its index also loads its fetch, WebSocket and cache, which takes a twentieth of a preview. */
const connectionsOfUndici = {
  name: "connections-of-undici",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici(\/index\.js)?$/ }, () => ({ path: "undici", namespace: "connections" }));
    const contents = `
      import api from "undici/lib/api/index.js";
      import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
      Object.assign(Dispatcher.prototype, api);
      export { default as Agent } from "undici/lib/dispatcher/agent.js";
      export { default as Pool } from "undici/lib/dispatcher/pool.js";
      export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";`;
    onLoad({ filter: /.*/, namespace: "connections" }, () => ({ contents, resolveDir: process.cwd() }));
  },
};

const common = {
  write: false,
  bundle: true,
  metafile: true,
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
const { outputFiles, metafile } = await build({
  ...common,
  entryPoints: {
    workspacectl: "dist/cli/bin.js",
    api: "dist/cli/api/index.js",
    "fleet-worker": "dist/cli/commands/fleet/worker.js",
  },
  outdir: "dist/bin",
  chunkNames: "[name]-[hash]",
  splitting: true,
  plugins: [connectionsOfUndici, packages, noClients, oneLanguage, interpreted],
  banner: { js: require },
});

mkdirSync("dist/bin", { recursive: true });
for (const { path, text } of outputFiles) {
  const unknown = /\b__(file|dir)name\b/.exec(text);
  if (unknown)
    throw new Error(`${path} asks for ${unknown[0]}, which a bundle has not: leave the package out of it`);
  writeFileSync(path, text);
}
writeThirdParty("dist/bin", metafile, command);

/** The folder of the plugin must be complete wherever Pulumi installs it, so the version does not come from a package.json. */
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

rmSync("dist/plugin", { recursive: true, force: true });
const plugin = await build({
  ...common,
  write: true,
  entryPoints: { index: "dist/components/main.js" },
  outdir: "dist/plugin",
  minifyIdentifiers: true,
  plugins: [ownVersion, noClients, oneLanguage, connectionsOfUndici],
  banner: { js: require },
});
writeThirdParty("dist/plugin", plugin.metafile, read("packages/library/package.json"));
