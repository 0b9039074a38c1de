// Puts `workspacectl` into few files, after tsc: hundreds of small modules take longer to find and read than to run.
// Each command stays a file of its own that is loaded when it is needed.
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

// What is native, brings files of its own, or is loaded by few commands stays a package.
const external = [
  "@fastify/*",
  "@grpc/*",
  "@pulumi/*",
  "@secretlint/*",
  "classic-level",
  "fastify",
  "google-protobuf",
  "isomorphic-git",
  "jiti",
  "light-my-request",
  "prettier",
  "pulumi-workspace-automation",
  "yoga-layout",
];

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist/bin", { recursive: true, force: true });
await build({
  entryPoints: { workspacectl: "dist/cli/bin.js" },
  outdir: "dist/bin",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  target: `node${/\d+\.\d+/.exec(engines.node)[0]}`,
  format: "esm",
  external,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  // Packages in CommonJS ask for modules of Node.js by it.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
});
