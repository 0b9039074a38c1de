/** Both sides, read at the same time. */
import type { ReadingProgress } from "../../export/progress.js";
import type { Scope } from "../../export/scope.js";
import type { Io } from "../../io.js";
import { lookedAgain } from "../again.js";
import type { Side } from "../object.js";
import type { SideSpec } from "../specs.js";
import { fileSide } from "./file.js";

export interface Reading {
  readonly scope: Scope;
  /** Folders beside a file's own from which it may read. */
  readonly allowPaths: readonly string[] | undefined;
  /** Begun when the first request is about to be sent. */
  readonly progress: () => Promise<ReadingProgress>;
}

/** @throws {WorkspaceFileError} when a file is not valid, before anything is asked of anybody */
export async function readSides(
  [left, right]: readonly [SideSpec, SideSpec],
  { scope, allowPaths, progress: begin }: Reading,
  io: Io,
): Promise<readonly [Side, Side]> {
  const files = [left, right].map((spec) =>
    spec.kind === "file" ? fileSide(spec, allowPaths, io) : undefined,
  );
  const progress = await begin();
  const read = async (spec: SideSpec, file: Side | undefined): Promise<Side> => {
    if (spec.kind === "file") return file ?? fileSide(spec, allowPaths, io);
    if (spec.kind === "stack") return (await import("./stack.js")).stackSide(spec, io);
    return (await import("./live.js")).liveSide(spec, scope, progress, io);
  };
  try {
    const [one, other] = await Promise.all([read(left, files[0]), read(right, files[1])]);
    const { includes } = scope;
    return await Promise.all([lookedAgain(one, other, includes), lookedAgain(other, one, includes)]);
  } finally {
    progress.end();
  }
}
