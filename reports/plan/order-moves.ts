/** Says how the order of a list changes. Lines with signs would read as if items were deleted and created. */
import type { PropertyChange } from "../../automation/plan/property-changes.js";
import { stripControls } from "../../client/printable.js";
import { findFewestMoves } from "../../diff/minimal-moves.js";

const INDENT = " ".repeat(4);

/**
 * `Build (19) moves after Tell the team (31)` for each item that moves; undefined where a list changes in another way, too.
 * @param mayGrow other rows show what is new or deleted
 */
export function describeMoves(changes: readonly PropertyChange[], mayGrow: boolean): string[] | undefined {
  const moves = changes.map(({ before, after }) => listMoves(before, after, mayGrow));
  const all = moves.every((one) => one !== undefined) ? moves.flat() : [];
  return all.length > 0 ? all.map((line) => INDENT + line) : undefined;
}

function listMoves(before: unknown, after: unknown, mayGrow: boolean): string[] | undefined {
  if (!isListOfNames(before) || !isListOfNames(after)) return undefined;
  const positions = new Map(before.map((item, index) => [item, index]));
  const order = after.flatMap((item) => positions.get(item) ?? []);
  const isSame = order.length === before.length && order.length === after.length;
  if (!isSame && !mayGrow) return undefined;
  const staying = [...order].sort((one, other) => one - other);
  const nameAt = (index: number) => stripControls(before[index] ?? "");
  const moves = findFewestMoves(staying, order).map(
    ({ action, after: preceding }) => `${nameAt(action)} moves after ${nameAt(preceding)}`,
  );
  return moves.length > 0 ? moves : undefined;
}

function isListOfNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === "string") &&
    new Set(value).size === value.length
  );
}
