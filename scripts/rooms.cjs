// Lists for each top-level folder the folders that it may import. `npm run imports` enforces this.
const rooms = {
  trust: [],
  assumptions: [],
  client: [],
  diff: [],
  schema: [],
  emulator: [],
  recovery: ["client", "diff", "trust"],
  provider: ["client", "diff", "recovery", "trust", "assumptions"],
  "workspace-file": ["provider", "diff", "schema", "client", "trust"],
  components: ["client", "diff", "provider", "recovery", "trust", "workspace-file"],
  sdk: ["client", "diff", "provider", "workspace-file", "schema", "trust"],
  cli: [
    "client",
    "diff",
    "provider",
    "recovery",
    "workspace-file",
    "components",
    "schema",
    "sdk",
    "trust",
    "assumptions",
  ],
};
// Forbids imports within a top-level folder, from lower layers to higher ones.
const layers = {
  "cli/terminal": ["cli/(?!terminal/)[^/]+"],
  "cli/toolchain": ["cli/(?!toolchain/|terminal/)[^/]+"],
  "cli/connection": ["cli/(commands|engine|policies|reporters|options)"],
  "cli/reporters": ["cli/commands"],
  "cli/options": ["cli/(commands|engine|connection)"],
  "cli/saved-plan": ["cli/(commands|reporters)"],
  "cli/policies": ["cli/(commands|reporters|saved-plan)"],
  "cli/engine": ["cli/(commands|reporters|saved-plan|policies)"],
  "provider/definition": ["provider/(connection|discovery)"],
  "provider/resources": ["provider/(crud|connection|discovery|adapters)"],
  "provider/existence": ["provider/(connection|discovery|adapters)"],
  "provider/crud": ["provider/(connection|discovery|adapters)"],
  "provider/discovery": ["provider/adapters"],
  "workspace-file/syntax": ["workspace-file/(?!syntax/)[^/]+"],
  "workspace-file/document": ["workspace-file/(?!document/|syntax/)[^/]+"],
  "workspace-file/compose": ["workspace-file/(load|edit|format|lint|write|access)"],
  "workspace-file/load": ["workspace-file/(edit|format|lint|write|access)"],
};

module.exports = { rooms, layers };
