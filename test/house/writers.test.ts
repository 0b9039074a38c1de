/** Checks that files which people keep by hand are written only by the function that reads them back first. */
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

/** Modules that write results, records and programs, which are made anew each time and merge with nothing of a user. */
const RESULTS = [
  "automation/export/remaining.ts",
  "automation/plan/planned-writes.ts",
  "automation/saved-plan/apply.ts",
  "cli/commands/fleet/notify-owners.ts",
  "cli/commands/fleet/progress-store.ts",
  "cli/commands/fleet/shards.ts",
  "cli/commands/init/run-init.ts",
  "cli/commands/probe/run-probe.ts",
  "cli/operations/export.ts",
  "reports/deliver-report.ts",
  "reports/output.ts",
];

it("workspace files, overlays and fleet files are written by write-user-files.ts alone", () => {
  const writers = globSync(listRooms().map((room) => `${room}/**/*.ts`)).filter((file) =>
    /\bwriteFileAtomically\(/.test(readFileSync(file, "utf8")),
  );
  const others = writers.filter((file) => !file.startsWith("automation/config-files/write-"));
  expect(others.sort()).toEqual(RESULTS);
});
