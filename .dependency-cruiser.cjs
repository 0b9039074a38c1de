/** Import rules of the rooms, from the table in scripts/rooms.cjs. */
const { layers, rooms } = require("./scripts/rooms.cjs");

const all = Object.keys(rooms);

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    // The work of a command takes the type of its options from the declaration, which loads the work on demand.
    {
      name: "no-circular-types",
      severity: "error",
      from: { pathNot: "^cli/(commands|operations)/" },
      to: { circular: true },
    },
    {
      name: "resolvable",
      severity: "error",
      // Programs that run where their packages are installed.
      from: { pathNot: "^(examples|test/e2e/programs|test/e2e/oauth/(servers|clients))/" },
      // Types only: @types/sarif.
      to: { couldNotResolve: true, pathNot: "^sarif$" },
    },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports-only-${allowed.join("-") || "itself"}`,
      severity: "error",
      from: { path: `^${room}/` },
      to: {
        path: `^(${all.filter((r) => r !== room && !allowed.includes(r)).join("|")})/`,
        // The command may start the emulator, through its public entry only.
        ...(room === "cli" ? { pathNot: "^emulator/index\\.ts$" } : {}),
      },
    })),
    ...Object.entries(layers).map(([layer, above]) => ({
      name: `${layer.replaceAll("/", "-")}-imports-nothing-above-it`,
      severity: "error",
      from: { path: `^${layer}/` },
      to: { path: `^(${above.join("|")})/` },
    })),
    {
      name: "no-command-imports-another",
      severity: "error",
      from: { path: "^cli/commands/([^/]+)/" },
      to: { path: "^cli/commands/[^/]+/", pathNot: "^cli/commands/$1/" },
    },
    {
      name: "examples-use-the-public-package",
      severity: "error",
      from: { path: "^examples/" },
      to: { path: `^(${all.join("|")})/` },
    },
    {
      name: "no-test-code-in-rooms",
      severity: "error",
      from: { path: `^(${all.join("|")})/` },
      to: { path: "^(test|scripts)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|node_modules|fixtures)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
