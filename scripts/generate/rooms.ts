/** Generates the diagram in docs/architecture.md from the import rules. */
import { createRequire } from "node:module";
import { replaceSection } from "../section.js";

interface Rules {
  readonly rooms: Readonly<Record<string, readonly string[]>>;
}

/** Returns the page with an updated diagram. */
export function renderArchitecturePage(): string {
  return replaceSection("docs/architecture.md", "`npm run generate` from scripts/rooms.cjs", drawRooms());
}

function drawRooms(): string {
  const { rooms } = createRequire(import.meta.url)("../rooms.cjs") as Rules;
  const arrows = Object.entries(rooms).flatMap(([room, allowed]) =>
    allowed
      .filter((other) => !isReachable(rooms, room, other))
      .map((other) => `  ${getNodeId(room)} --> ${getNodeId(other)}`),
  );
  const boxes = Object.keys(rooms).map((room) => `  ${getNodeId(room)}["${room}/"]`);
  const entry = "  cli -. its entry only .-> emulator";
  return ["```mermaid", "flowchart TD", ...boxes, ...arrows, entry, "```"].join("\n");
}

/** Reports whether a folder is reachable through another one, so that the diagram omits its arrow. */
function isReachable(rooms: Rules["rooms"], room: string, target: string): boolean {
  return (rooms[room] ?? []).some((between) => between !== target && (rooms[between] ?? []).includes(target));
}

const getNodeId = (room: string) => room.replaceAll("-", "_");
