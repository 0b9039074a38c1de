/** What the other rooms use of the resource types. */
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
export { PROVIDER_KEY, buildProviderText } from "./definition/provider-text.js";
export { importForms, importId, pickScopes } from "./definition/import-id.js";
export { findPackageType, findComponentType, parsePulumiType } from "./package-types.js";
export { suggestOr } from "./definition/problems.js";
export { listApiKeys } from "./definition/api-names.js";
export { DeclaredInProjects } from "./definition/project-dependencies.js";
export { definitions, findDefinition, getDefinition } from "./registry.js";
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
export { canonicalizeName, SpelledNames } from "./canonical-name.js";
export { getSpelling } from "./definition/argument-spelling.js";
export { canonicalize, isSameSpelling, findNamed, type Spelling } from "./definition/spelling.js";
export { SharedReadCache } from "./definition/read-cache.js";
export { getAddress } from "./definition/context.js";
export {
  FORMER_NAMES_VARIABLE,
  RENAMED_VARIABLE,
  parseRenames,
  serializeRenames,
  type Rename,
} from "./definition/renames.js";
export { mapReferences } from "./definition/reference-paths.js";
export { getDefault } from "./definition/server-defaults.js";
export { IMPORT_VARIABLE } from "./definition/import-mode.js";
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
export { readCron, type CronExpression, type CronTimes } from "./cron/expression.js";
export { cronForms, isAmbiguous, listDifferences } from "./cron/schedulers.js";
export { listNextRuns } from "./cron/times.js";
