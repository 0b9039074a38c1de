/** The list of the rooms, which also feeds the import rules, the lint rules and the diagram. */
import { createRequire } from "node:module";

export function listRooms(): string[] {
  const { rooms } = createRequire(import.meta.url)("../../scripts/rooms.cjs") as { rooms: object };
  return Object.keys(rooms);
}
