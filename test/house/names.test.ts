/** Checks that no two modules export different things under the same name. */
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

/**
 * Separates the emulator, which imports nothing from the other packages and names the same concepts of the
 * specification.
 */
const PACKAGES = [
  listRooms().filter((room) => !["assumptions", "emulator", "recovery", "schema"].includes(room)),
  ["emulator"],
];
const EXPORT = /^export (?:async |abstract )*(?:function\*?|class|interface|type|const|enum) (\w+)/gm;

/** Matches the modules of commands and their operations, which export the same names and are distinguished by their folder. */
const OF_A_COMMAND = /^cli\/(?:commands\/[\w-]+\/(?:[\w-]+-command|run-[\w-]+)|operations\/[\w-]+)\.ts$/;

it.each(PACKAGES.map((rooms) => ({ rooms })))("no two modules export the same name: $rooms", ({ rooms }) => {
  const modules = new Map<string, Set<string>>();
  for (const file of globSync(rooms.map((room) => `${room}/**/*.ts`))) {
    const text = readFileSync(file, "utf8");
    if (/generated/i.test(text.slice(0, text.indexOf("\n"))) || OF_A_COMMAND.test(file)) continue;
    for (const [, name = ""] of text.matchAll(EXPORT))
      modules.set(name, (modules.get(name) ?? new Set()).add(file));
  }
  const twice = [...modules].filter(([, files]) => files.size > 1);
  expect(twice.map(([name, files]) => `${name}: ${[...files].join(", ")}`)).toEqual([]);
});
