/** Access rights: models of the declared and the remote workspace, and descriptions of their differences. */
export { effectiveAccess, type AccessFilter, type EffectiveAccess, type EffectiveRow } from "./effective.js";
export { impactOf, type Impact } from "./impact.js";
export { memberLabel, personKey, type AccessModel, type AccessPerson, type AccessProject } from "./model.js";
export {
  accessOf,
  accessTypes,
  declaredObjects,
  nothingKnown,
  type AccessObject,
  type KnownAccess,
} from "./objects.js";
export { impactLines } from "./sentences.js";
