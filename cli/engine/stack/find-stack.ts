/** Finds the stack of a workspace file or a program, and what is known about it. */
import { existsSync } from "node:fs";
import type { LoadOptions } from "../../../workspace-file/load/index.js";
import type { FileFacts } from "../../connection/file.js";
import { note, type Io } from "../../terminal/io.js";
import { noteOtherCopy, refuseCodeOf } from "./code-check.js";
import { stateFile, type StackLocation } from "./lock-files.js";
import { removeTruncatedFiles } from "./locks.js";
import { stackExists, stackNames, temporaryProject, type StackTarget } from "./missing-stack.js";
import type { Program } from "./program.js";
import { findBackend, mayHaveStacks, prepareProject, type PulumiProjectFolder } from "./project.js";
import { DEFAULT_STACK, pulumiCli, selectedStack } from "./pulumi-project.js";

/** What is known before Pulumi runs. */
export interface StackSource {
  /** The program of the user, instead of a file. */
  readonly program: Program | undefined;
  readonly project: PulumiProjectFolder;
  readonly reading: (stack: string) => LoadOptions;
  readonly read: (stack: string) => FileFacts;
  /** The stack unless Pulumi says otherwise. */
  readonly expected: string;
  /** The file, unless it depends on the stack that Pulumi has selected. */
  readonly before: FileFacts | undefined;
}

/** The stack that a command works on, and whether it exists. */
export interface FoundStack {
  readonly target: StackTarget;
  readonly location: StackLocation;
  readonly file: FileFacts;
  readonly exists: boolean;
  readonly otherStacks: () => Promise<readonly string[]>;
}

/** Finds the stack with Pulumi's help. Creates nothing, because the user has not agreed to it yet. */
export async function findStack(
  { program, project, read, expected, before }: StackSource,
  { stack }: { readonly stack?: string },
  { backendShown = false }: { readonly backendShown?: boolean },
  io: Io,
): Promise<FoundStack> {
  if (!program) {
    refuseCodeOf(project, expected);
    noteOtherCopy(project, io);
  }
  const backend = findBackend(project, io.env);
  if (backend.notice !== undefined && !backendShown) note(io, backend.notice);
  const ofProject = { backendUrl: backend.url, root: project.root, project: project.name };
  removeTruncatedFiles(ofProject);

  const isPrepared = existsSync(project.root);
  if (isPrepared) prepareProject(project);
  const mayBeThere = !backend.isOwn || mayHaveStacks(project, io.env);
  const needs = program
    ? ({ code: true, languageHost: "required" } as const)
    : ({ code: false, languageHost: "optional" } as const);
  const cli = await pulumiCli(isPrepared ? project.root : temporaryProject(project), backend, needs, io);
  const selected = stack === undefined && mayBeThere ? await selectedStack(project, cli) : undefined;
  const name = stack ?? selected ?? DEFAULT_STACK;
  const file = before ?? read(name);
  if (!program && name !== expected) refuseCodeOf(project, name);
  const target: StackTarget = { name, project, backend, cli };
  const location = { ...ofProject, stack: name.split("/").at(-1) ?? name };
  // The CLI takes a third of a second, so the state file is checked first.
  const hasFile = !name.includes("/") && stateFile(location) !== undefined;
  const exists = selected !== undefined || (mayBeThere && (hasFile || (await stackExists(target))));
  const otherStacks = async () =>
    mayBeThere ? (await stackNames(cli)).filter((other) => other !== name) : [];
  return { target, location, file, exists, otherStacks };
}
