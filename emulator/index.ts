/** Local emulator of the Workspace Automation Service. */
export { startEmulator } from "./emulator.js";
export type { Emulator, OutsideEdit } from "./handle.js";
export { Clock } from "./clock.js";
export type { Fault } from "./fault-injection.js";
export type { RequestLog as Journal, LoggedRequest as JournalEntry } from "./request-log.js";
export type { Outcome } from "./model.js";
export type { EmulatorOptions } from "./options.js";
export { chooseBehavior, listDifferences, type ServiceBehavior } from "./profile.js";
export { defaultSettings, type Settings } from "./settings.js";
export { scopes, type Scope } from "./enums.js";
export { SeedError } from "./errors.js";
export type { FullSeed, Seed } from "./seed-schema.js";
