/** Recognizes a workspace file of a clone whose stack has its state on another machine. */
import { dirname, resolve } from "node:path";
import { TrustError } from "../../trust/errors.js";
import { openClone } from "../../trust/git.js";
import { AutomationError } from "../errors.js";
import { formatNextCommand } from "../next-command.js";
import type { Port } from "../port.js";
import { findBackend, mayHaveStacks } from "./backend.js";
import type { StackOptions } from "./locate-stack.js";
import { findProject } from "./project.js";
import { stackOfFile } from "./stack-choice.js";

/**
 * An import would make a second state of objects that another one manages, with no lock in common.
 * @throws {AutomationError} when nothing says where the state of a committed file is, unless --create-stack names its stack
 */
export async function refuseSecondState(options: StackOptions, io: Port): Promise<void> {
  const { file, createStack, program } = options;
  const stack = stackOfFile(options);
  if (stack === undefined || program !== undefined || createStack === stack) return;
  const project = findProject(file);
  const backend = findBackend(project, io.env);
  if (!project.own || !backend.isOwn || mayHaveStacks(project, backend)) return;
  const commit = await findLastCommit(file, io);
  if (commit === undefined) return;
  throw new AutomationError(
    `${file} names stack ${stack}, and was last committed by ${commit}, but neither this clone nor a Pulumi login says where the state of that stack is. ` +
      "A second state would manage the same objects, with no lock in common",
    `ask who has adopted the workspace, and log in to the place of the state ("workspacectl pulumi -- login ADDRESS"); ` +
      `or, if there is no other state, run "${formatNextCommand(["import", "--create-stack", stack], options)}"`,
  );
}

/** @returns `Olga on 2026-01-31`; undefined where the file is not in a commit, or Git cannot say */
async function findLastCommit(file: string, io: Port): Promise<string | undefined> {
  const path = resolve(file);
  try {
    const clone = await openClone(dirname(path), io.env);
    const { ok, text } = await clone.run("log", "-1", "--format=%an on %as", "--", path);
    return (ok && text.trim()) || undefined;
  } catch (error) {
    if (error instanceof TrustError) return undefined;
    throw error;
  }
}
