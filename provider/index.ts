/**
 * Entry point of the dynamic providers. State that was written by any release holds the text of `providerText` and
 * calls `get` with a type: neither may ever change its meaning.
 */
import { dynamicProvider, type DynamicProvider } from "./dynamic.js";
import { definitionOf } from "./registry.js";

/** The provider of a resource type. */
export function get(type: string): DynamicProvider {
  return dynamicProvider(definitionOf(type));
}

export {
  copiedArgs,
  inputsOf,
  lastPart,
  ownType,
  pulumiType,
  type InputValues,
  type Referred,
} from "./inputs.js";
export { providerText, typeOfProviderText } from "./provider-text.js";
export { DeclaredInProjects } from "./waiting.js";
export { definitions, definitionOf } from "./registry.js";
export { argsSchema, variantOf, type Around, type Definition, type Fields } from "./definition.js";
export { ProviderError, type ProviderErrorCode } from "./errors.js";
export {
  DEFAULT_CONNECTION,
  resolveConnection,
  sameAddress,
  type Connection,
  type ConnectionSources,
} from "./connection.js";
export {
  changeCredentials,
  credentialsFile,
  readCredentials,
  type Credentials,
  type StoredClient,
  type StoredConnection,
  type StoredOAuth,
} from "./credentials.js";
export { DEBUG_VARIABLE, debugWriter } from "./debug.js";
export { isRunning } from "./engine-alive.js";
export { ADOPT_VARIABLE, JOURNAL_VARIABLE, journalFolder } from "./journal.js";
export { findExistingObjects, type ExistingObject, type ExpectedObject } from "./existing.js";
export { Finder, type NamedPart } from "./finder.js";
export { findUnfinished, interruptedCreations, type Found, type Unfinished } from "./left.js";
export type { Interrupted } from "./journal.js";
export { METER_VARIABLE, openMeter, readMeter, type Meter, type Metered, type RateLeft } from "./meter.js";
export { DELETE_VARIABLE } from "./mentioned.js";
export { ListReader, type ListedChange } from "./removals.js";
export { RENAMED_VARIABLE, renamesIn, renamesText, type Rename } from "./renames.js";
export { rehearse, type Count, type Rehearsal, type RehearsedStep } from "./rehearsal/index.js";
export { mapReferences, type ReferencePath } from "./reference-places.js";
export {
  FINGERPRINTS,
  NOT_COMPARED,
  OBSERVER_VARIABLE,
  UNREADABLE,
  fingerprint,
  type SeenFingerprints,
} from "./observer.js";
export type { HeldObject, NamedObject, Search, Searched, Undeclared } from "./undeclared.js";
export { surveyWorkspace, type Gap, type Survey, type Surveyed, type SurveyOptions } from "./survey/index.js";
export type { Expected } from "./survey/hidden.js";
export { ANSWERS_VARIABLE, answersFolder, type Recalled } from "./survey/kept-answers.js";
export type { KnownNames } from "./survey/known-names.js";
export { hiddenAt } from "./survey/again.js";
export { comparableArgs } from "./comparable.js";
export { defaultOf } from "./defaults.js";
export { TAKE_UP_VARIABLE } from "./take-up-mode.js";
export { lookAt, type Look } from "./look.js";
export type { Unreadable } from "./probe.js";
export { unverifiableOf } from "./unverifiable.js";
export { holdsHalf, validateArgs, problemLine } from "./validate.js";
export { looksRandom } from "./secret-forms.js";
export { isSensitive } from "./secret-names.js";
export { isMasked, looksSecret, mapSecrets, MASK, maskArgs, secretNames, secretsIn } from "./sensitive.js";
export { project } from "./wire.js";
export {
  asSecret,
  hasSecret,
  hasUnknown,
  sameDeclared,
  sameJson,
  sameNested,
  sameValue,
  stableJson,
  UNKNOWN,
  withoutMarks,
} from "./values.js";
