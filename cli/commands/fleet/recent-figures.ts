/** The figures of the last runs: how many requests and objects each workspace took. They balance the shards. */
import { dirname, join } from "node:path";
import { z } from "zod";
import { readJsonFileIfPresent } from "../../config-files/json-file.js";
import { note, type Io } from "../../terminal/io.js";
import { writeFileAtomically } from "../../terminal/write-file.js";
import type { FleetResult } from "./result.js";

const figures = z.object({ requests: z.int().min(0), objects: z.int().min(0) });
const schema = z.object({ version: z.literal(1), workspaces: z.record(z.string(), figures) });

export type Figures = z.infer<typeof figures>;

/** Returns the file next to the fleet file, unless an option names another. */
export function locateFiguresFile(fleetFile: string, named: string | undefined): string {
  return named ?? join(dirname(fleetFile), "fleet.figures.json");
}

/** @throws {CliError} when the file is another one */
export function readFigures(file: string): ReadonlyMap<string, Figures> {
  const expected = {
    what: "a file with figures of workspacectl",
    remedy: "choose another with --figures, or delete it",
  };
  return new Map(Object.entries(readJsonFileIfPresent(schema, file, expected)?.workspaces ?? {}));
}

/** Updates the figures of the workspaces that were read to the end. A folder without write access is no failure. */
export function recordFigures(file: string, results: readonly FleetResult[], io: Io): void {
  const known = readFigures(file);
  const measured = results.flatMap(({ name, result, requests, objects }): [string, Figures][] =>
    (result === "ok" || result === "drift") && requests !== undefined && objects !== undefined
      ? [[name, { requests, objects }]]
      : [],
  );
  if (measured.length === 0) return;
  const all = [...new Map([...known, ...measured])].toSorted(([one], [other]) => (one < other ? -1 : 1));
  try {
    const text = JSON.stringify({ version: 1, workspaces: Object.fromEntries(all) }, null, 2);
    writeFileAtomically(file, `${text}\n`);
  } catch (error) {
    note(
      io,
      `The figures of this run (--figures) could not be written to ${file}: ${(error as Error).message}`,
    );
  }
}
