/** What other rooms use of the provider. */
export * from "../resources/index.js";
export {
  connectionKeys,
  DEFAULT_CONNECTION,
  resolveConnection,
  type Connection,
  type ConnectionSources,
} from "./connection/connection.js";
export {
  updateCredentials,
  getCredentialsFile,
  readCredentials,
  type Credentials,
  type StoredClient,
  type StoredConnection,
  type StoredOAuth,
} from "./connection/credentials.js";
export type { ReadingOptions } from "./connection/session.js";
export { buildClientOptions, readProfile, type ConnectionProfile } from "./connection/profile.js";
export { DEBUG_VARIABLE, debugWriter, isDebugLine } from "./connection/debug.js";
export { ADOPT_VARIABLE } from "../recovery/journal.js";
export { REPLACED_REMEDY } from "./crud/create.js";
export { findExistingObjects, type ExistingObject, type ExpectedObject } from "./discovery/existing-names.js";
export { Lookup } from "./discovery/lookup.js";
export { findUnfinished } from "./discovery/interrupted.js";
export {
  REQUEST_COUNTER_VARIABLE,
  openRequestCounter,
  readRequestCounter,
  type CountedRequests,
  type RateLeft,
} from "./connection/request-counter.js";
export { DELETE_VARIABLE } from "./crud/deletion-guard.js";
export { ListReader, type ListedChange } from "./discovery/list-changes.js";
export { findTwins, mayHaveTwin } from "./discovery/twins.js";
export { findUsers, listUsers } from "./discovery/users.js";
export { estimateRequests, type Count, type EstimatedStep } from "./discovery/request-estimate/estimate.js";
export {
  FINGERPRINTS,
  NOT_COMPARED,
  READ_ONLY_VARIABLE,
  unpackFingerprints,
  UNREADABLE,
  type SeenFingerprints,
} from "./connection/read-only-mode.js";
export type { ManagedObject, Search, Searched } from "./discovery/unmanaged.js";
export {
  discoverWorkspace,
  type Gap,
  type Discovery,
  type DiscoveredObject,
  type DiscoveryOptions,
} from "./discovery/discover.js";
export { listHiddenAt, type ExpectedName } from "./discovery/hidden-objects.js";
export { getCheckpointFolder, type Recalled } from "./discovery/checkpoint.js";
export type { KnownNames } from "./discovery/known-names.js";
export { openReadOnlySession, type ReadOnlySession } from "./discovery/read-only-session.js";
export { OpenArguments } from "./adapters/open-arguments.js";
export type { DeclaredReferences } from "./adapters/declared-references.js";
export {
  createWaitPrinter,
  formatLimit,
  formatSlowness,
  WAITING_FOR_SERVICE,
} from "./connection/progress-line.js";
export {
  readRequestLimits,
  RATE_LIMIT_WAIT_VARIABLE,
  REQUEST_SHARES_VARIABLE,
  TIMEOUT_VARIABLE,
} from "./connection/request-limits.js";
