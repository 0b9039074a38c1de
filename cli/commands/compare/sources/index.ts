/** Both sides, read at the same time. */
import { existsSync } from "node:fs";
import type { KnownNames } from "../../../../provider/index.js";
import { CliError } from "../../../errors.js";
import type { ReadingProgress } from "../../export/progress.js";
import { peopleIn } from "../../export/people.js";
import type { Scope } from "../../export/scope.js";
import type { Io } from "../../../terminal/io.js";
import { lookedAgain } from "../again.js";
import type { Side } from "../object.js";
import type { SideSpec } from "../specs.js";
import { fileSide } from "./file.js";

export interface Reading {
  readonly scope: Scope;
  /** Folders beside a file's own from which it may read. */
  readonly allowPaths: readonly string[] | undefined;
  /** Files that say who is who, where the service hides it; one for each side. */
  readonly people: readonly [string | undefined, string | undefined];
  /** Wait for the next hour's requests. */
  readonly wait: boolean;
  /** Begun when the first request is about to be sent. */
  readonly progress: () => Promise<ReadingProgress>;
}

/** @throws {WorkspaceFileError} when a file is not valid, before anything is asked of anybody */
export async function readSides(
  [left, right]: readonly [SideSpec, SideSpec],
  { scope, allowPaths, people, wait, progress: begin }: Reading,
  io: Io,
): Promise<readonly [Side, Side]> {
  const files = [left, right].map((spec) =>
    spec.kind === "file" ? fileSide(spec, allowPaths, io) : undefined,
  );
  const names = [peopleOf(left, people[0], scope), peopleOf(right, people[1], scope)] as const;
  const progress = await begin();
  const read = async (spec: SideSpec, file: Side | undefined, known: KnownNames): Promise<Side> => {
    if (spec.kind === "file") return file ?? fileSide(spec, allowPaths, io);
    if (spec.kind === "stack") return (await import("./stack.js")).stackSide(spec, io);
    return (await import("./live.js")).liveSide(spec, { scope, names: known, wait, progress }, io);
  };
  try {
    const [one, other] = await Promise.all([read(left, files[0], names[0]), read(right, files[1], names[1])]);
    const { includes } = scope;
    return await Promise.all([lookedAgain(one, other, includes), lookedAgain(other, one, includes)]);
  } finally {
    progress.end();
  }
}

function peopleOf({ kind, name }: SideSpec, people: string | undefined, scope: Scope): KnownNames {
  if (people === undefined) return new Map();
  if (kind !== "connection")
    throw new CliError(
      `${people} says who is who in a live workspace, and ${name} is a ${kind}: leave it out`,
    );
  if (!existsSync(people))
    throw new CliError(
      `there is no file ${people}: "workspacectl export -c ${name} --people ${people}" writes one to be filled in`,
    );
  return peopleIn({ people }, scope);
}
