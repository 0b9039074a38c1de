/** A faithful local emulator of the Workspace Automation Service. */
export { startEmulator } from "./emulator.js";
export type { Emulator, OutsideEdit } from "./handle.js";
export { Clock } from "./clock.js";
export type { Fault } from "./faults.js";
export type { Journal, JournalEntry } from "./journal.js";
export type { Outcome } from "./model.js";
export { defaultSettings, type EmulatorOptions, type Settings } from "./options.js";
export { scopes, type Scope } from "./scopes.js";
export { SeedError } from "./seed-error.js";
export type { FullSeed, Seed } from "./seed-schema.js";
