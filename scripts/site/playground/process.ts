/** Defines what modules read from Node.js's process when they are loaded. */
Object.assign(globalThis, {
  process: { cwd: () => "/", env: {}, argv: [], platform: "browser", version: "", versions: {} },
});
