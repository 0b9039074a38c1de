/** What other rooms use of the provider. */
export {
  buildCommonInputs,
  listCopiedArgs,
  buildInputs,
  getLastPart,
  type InputValues,
  type Referred,
} from "./definition/resource-inputs.js";
export {
  ENGINE_VARIABLE,
  engines,
  providerPackage,
  getPulumiType,
  type ProviderEngine,
} from "./definition/provider-engine.js";
export { PROVIDER_KEY, buildProviderText } from "./adapters/provider-text.js";
export { importForms, importId, pickScopes } from "./definition/import-id.js";
export { findPackageType, findComponentType, parsePulumiType } from "./resources/package-types.js";
export { suggestOr } from "./definition/problems.js";
export { listApiKeys } from "./definition/api-names.js";
export { DeclaredInProjects } from "./definition/project-dependencies.js";
export { definitions, findDefinition, getDefinition } from "./resources/registry.js";
export {
  getArgsSchema,
  getArgsShape,
  isOptional,
  isProtected,
  getVariant,
  type Around,
  type Definition,
  type Effect,
  type Fields,
} from "./definition/definition.js";
export { listComparableArgs, listIdentifyingArgs, listUnverifiable } from "./definition/which-arguments.js";
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
export { DEBUG_VARIABLE, debugWriter } from "./connection/debug.js";
export { ADOPT_VARIABLE } from "../recovery/journal.js";
export { REPLACED_REMEDY } from "./crud/create.js";
export { canonicalizeName, SpelledNames } from "./resources/canonical-name.js";
export { getSpelling } from "./definition/argument-spelling.js";
export { canonicalize, isSameSpelling, findNamed, type Spelling } from "./definition/spelling.js";
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
export { SharedReadCache } from "./crud/read-cache.js";
export { getAddress } from "./definition/context.js";
export { ListReader, type ListedChange } from "./discovery/list-changes.js";
export {
  FORMER_NAMES_VARIABLE,
  RENAMED_VARIABLE,
  parseRenames,
  serializeRenames,
  type Rename,
} from "./crud/renames.js";
export { findTwins, mayHaveTwin } from "./discovery/twins.js";
export { findUsers, listUsers } from "./discovery/users.js";
export { estimateRequests, type Count, type EstimatedStep } from "./discovery/request-estimate/estimate.js";
export { mapReferences } from "./definition/reference-paths.js";
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
export { getDefault } from "./definition/server-defaults.js";
export { IMPORT_VARIABLE } from "./crud/import-mode.js";
export { openReadOnlySession, type ReadOnlySession } from "./discovery/read-only-session.js";
export { holdsHalf, validateArgs, formatProblemLine } from "./definition/validate.js";
export type { ProblemCode } from "./definition/problem-codes.js";
export { looksRandom } from "./definition/secrets/secret-values.js";
export {
  buildReferringInputs,
  createReferringText,
  SECRET_REFERENCES,
  type ReferringValue,
} from "./definition/secrets/references.js";
export { IN_PLAINTEXT } from "./definition/secrets/in-plaintext.js";
export { OpenArguments } from "./adapters/open-arguments.js";
export type { DeclaredReferences } from "./adapters/declared-references.js";
export { isSensitive } from "./definition/secrets/secret-names.js";
export { findTokens } from "./definition/secrets/token-forms.js";
export { isReference } from "./definition/secrets/harmless-values.js";
export {
  findIssuedSecrets,
  findNamedSecret,
  findSecrets,
  type SecretPart,
} from "./definition/secrets/secret-values.js";
export {
  looksSecret,
  mapSecretParts,
  mapSecrets,
  MASK,
  maskArgs,
  listPartlySecretNames,
  listSecretPartsIn,
  listSecretNames,
  listSecretsIn,
} from "./definition/secrets/mask.js";
export { maskParts, maskVersions } from "./definition/secrets/mask-versions.js";
export { reduceRemote } from "./definition/api-names.js";
export { createWaitPrinter, formatSlowness, WAITING_FOR_SERVICE } from "./connection/progress-line.js";
export {
  readRequestLimits,
  RATE_LIMIT_WAIT_VARIABLE,
  REQUEST_SHARES_VARIABLE,
  TIMEOUT_VARIABLE,
} from "./connection/request-limits.js";
