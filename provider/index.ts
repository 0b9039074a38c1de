/** What other rooms use of the provider. */
export {
  commonInputs,
  copiedArgs,
  inputsOf,
  lastPart,
  type InputValues,
  type Referred,
} from "./definition/resource-inputs.js";
export {
  ENGINE_VARIABLE,
  engines,
  ownType,
  providerPackage,
  pulumiType,
  type ProviderEngine,
} from "./definition/provider-engine.js";
export { PROVIDER_KEY, providerText, typeOfProviderText } from "./adapters/provider-text.js";
export { importForms, importId, scopesOf } from "./definition/import-id.js";
export { DeclaredInProjects } from "./definition/project-dependencies.js";
export { definitions, definitionOf } from "./resources/registry.js";
export {
  argsSchema,
  variantOf,
  type Around,
  type Definition,
  type Effect,
  type Fields,
} from "./definition/definition.js";
export { identifyingArgs } from "./definition/identifying.js";
export { ProviderError, type ProviderErrorCode } from "./errors.js";
export {
  DEFAULT_CONNECTION,
  resolveConnection,
  type Connection,
  type ConnectionSources,
} from "./connection/connection.js";
export {
  changeCredentials,
  credentialsFile,
  readCredentials,
  type Credentials,
  type StoredClient,
  type StoredConnection,
  type StoredOAuth,
} from "./connection/credentials.js";
export { DEBUG_VARIABLE, debugWriter } from "./connection/debug.js";
export { ADOPT_VARIABLE } from "../recovery/journal.js";
export { findExistingObjects, type ExistingObject, type ExpectedObject } from "./discovery/existing.js";
export { Lookup, type NamedPart } from "./discovery/lookup.js";
export { findUnfinished, type RecoveredObject, type Unfinished } from "./discovery/interrupted.js";
export {
  REQUEST_COUNTER_VARIABLE,
  openRequestCounter,
  readRequestCounter,
  type RequestCounter,
  type CountedRequests,
  type RateLeft,
} from "./connection/request-counter.js";
export { DELETE_VARIABLE } from "./crud/deletion-guard.js";
export { SharedReads } from "./crud/read-cache.js";
export { addressOf } from "./definition/context.js";
export { ListReader, type ListedChange } from "./discovery/list-changes.js";
export { RENAMED_VARIABLE, renamesIn, renamesText, type Rename } from "./crud/renames.js";
export {
  estimateRequests,
  type Count,
  type RequestEstimate,
  type EstimatedStep,
} from "./discovery/request-estimate/estimate.js";
export { mapReferences, type ReferencePath } from "./definition/reference-paths.js";
export {
  FINGERPRINTS,
  NOT_COMPARED,
  READ_ONLY_VARIABLE,
  UNREADABLE,
  type SeenFingerprints,
} from "./connection/read-only-mode.js";
export type { ManagedObject, NamedObject, Search, Searched, Unmanaged } from "./discovery/unmanaged.js";
export {
  discoverWorkspace,
  type Gap,
  type Discovery,
  type DiscoveredObject,
  type DiscoveryOptions,
} from "./discovery/discover.js";
export { hiddenAt, type ExpectedName } from "./discovery/masked.js";
export { CHECKPOINT_VARIABLE, checkpointFolder, type Recalled } from "./discovery/checkpoint.js";
export type { KnownNames } from "./discovery/known-names.js";
export { comparableArgs } from "./definition/comparable.js";
export { defaultOf } from "./definition/server-defaults.js";
export { IMPORT_VARIABLE } from "./crud/import-mode.js";
export { openReadOnlySession, type ReadOnlySession, type Unreadable } from "./discovery/read-only-session.js";
export { unverifiableOf } from "./definition/write-only.js";
export { holdsHalf, validateArgs, problemLine } from "./definition/validate.js";
export { looksRandom } from "./definition/secrets/secret-values.js";
export {
  referringInputs,
  referringText,
  SECRET_REFERENCES,
  type ReferringValue,
} from "./definition/secrets/references.js";
export type { DeclaredReferences, ReferringObject } from "./adapters/declared-references.js";
export { isSensitive } from "./definition/secrets/secret-names.js";
export {
  isMasked,
  looksSecret,
  mapSecrets,
  MASK,
  maskArgs,
  secretNames,
  secretsIn,
} from "./definition/secrets/mask.js";
export { projectRemote } from "./definition/api-names.js";
export { readRequestShares, REQUEST_SHARES_VARIABLE } from "./connection/request-shares.js";
