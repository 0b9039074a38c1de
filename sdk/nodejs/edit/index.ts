/** Edits of workspace files that keep everything they do not concern, byte by byte. */
export { editWorkspace, nameOf } from "./workspace.js";
export {
  AsWritten,
  refusalCodes,
  type Edit,
  type EditedFile,
  type EditOptions,
  type EditResult,
  type Made,
  type Property,
  type Refused,
} from "./types.js";
