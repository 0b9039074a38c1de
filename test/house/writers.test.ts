/** Checks that files which people keep by hand are written only by the function that reads them back first. */
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

/** Modules that write results, records and programs, which are made anew each time and merge with nothing of a user. */
const RESULTS = [
  "cli/commands/export/remaining.ts",
  "cli/commands/export/run.ts",
  "cli/commands/fleet/notify-owners.ts",
  "cli/commands/fleet/progress-store.ts",
  "cli/commands/fleet/shards.ts",
  "cli/commands/init/run.ts",
  "cli/commands/probe/run.ts",
  "cli/engine/plan/planned-writes.ts",
  "cli/reporters/deliver-report.ts",
  "cli/saved-plan/apply.ts",
  "cli/terminal/output.ts",
];

it("workspace files, overlays and fleet files are written by write-user-files.ts alone", () => {
  const writers = globSync(listRooms().map((room) => `${room}/**/*.ts`)).filter((file) =>
    /\bwriteFileAtomically\(/.test(readFileSync(file, "utf8")),
  );
  const others = writers.filter((file) => file !== "cli/config-files/write-user-files.ts");
  expect(others.sort()).toEqual(RESULTS);
});
