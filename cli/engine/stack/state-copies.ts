/** The copies of a state that Pulumi keeps beside it. */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { namesIn } from "../../../recovery/stores.js";
import { plainStateFile, type StackLocation } from "./state-files.js";
import { deploymentIn } from "./state-place.js";

/** A copy of an earlier state. */
export interface Copy {
  readonly file: string;
  readonly at: Date;
  readonly objects: number;
}

/** The copies that Pulumi keeps, the latest first: the backup, and the states after earlier runs. */
export function copiesOfState(folder: string, location: StackLocation): Copy[] {
  const { project, stack } = location;
  const backup = `${plainStateFile(folder, location)}.bak`;
  const history = join(folder, "history", project, stack);
  const earlier = namesIn(history).flatMap((name) =>
    name.endsWith(".checkpoint.json") ? [join(history, name)] : [],
  );
  return [backup, ...earlier]
    .flatMap((file) => {
      const objects = objectCountIn(file);
      return objects === undefined ? [] : [{ file, at: statSync(file).mtime, objects }];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || basename(b.file).localeCompare(basename(a.file)));
}

/** Counts the objects of a state; undefined when it cannot be read. */
export function objectCountIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const deployment = deploymentIn(readFileSync(file, "utf8"));
  return deployment && (deployment.resources ?? []).filter(({ type }) => !type.startsWith("pulumi:")).length;
}

export function restoreCopy({ file }: Copy, state: string): void {
  copyFileSync(file, state);
  // It has the checksum of the text that cannot be read, and Pulumi does not need it.
  rmSync(`${state}.attrs`, { force: true });
}
