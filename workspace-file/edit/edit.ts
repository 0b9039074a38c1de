/** Edits workspace files and keeps everything else byte by byte. */
export { editWorkspace, describeEdit } from "./edit-workspace.js";
export { hasPlaceholder, withPart } from "./canonical-form.js";
export {
  createPlainMeaning,
  getMeaningOf,
  listMisread,
  readMeaning,
  readPlain,
  type Meaning,
  type NewTexts,
} from "./meaning.js";
export { OverlayText } from "./overlay.js";
export { insertKey } from "./yaml/insert.js";
export { RawText } from "./yaml/raw.js";
export { replaceSlot } from "./yaml/replace-slot.js";
export { locateSteps, type LocationStep } from "./locate.js";
export {
  AsWritten,
  joinWritten,
  type Edit,
  type EditedFile,
  type EditOptions,
  type EditResult,
  type MadeEdit,
  type NewFile,
  type Refused,
} from "./edit-types.js";
