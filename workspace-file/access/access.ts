/** Access rights: models of the declared and the remote workspace, and descriptions of their differences. */
export {
  computeEffectiveAccess,
  type AccessFilter,
  type EffectiveAccess,
  type EffectiveRow,
} from "./effective.js";
export { listImpacts, type Impact } from "./impact.js";
export {
  labelMember,
  normalizePerson,
  type AccessModel,
  type AccessPerson,
  type AccessProject,
} from "./model.js";
export {
  buildAccess,
  accessTypes,
  getProjectNameOf,
  listDeclaredObjects,
  nothingKnown,
  type AccessObject,
  type KnownAccess,
} from "./build-access.js";
export { formatImpactLines, rankImpactLines } from "./sentences.js";
