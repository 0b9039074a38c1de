/** Reads the state of a stack as a source: what was last applied or read. Decrypts no secret. */
import { CliError } from "../../../errors.js";
import { note, type Io } from "../../../terminal/io.js";
import { findBackend, findProject, mayHaveStacks } from "../../../engine/stack/project.js";
import { openPulumi } from "../../../engine/stack/pulumi-project.js";
import { runPulumi } from "../../../engine/stack/pulumi.js";
import type { ComparedSource } from "../object.js";
import type { StackSpec } from "../specs.js";
import { sourceOfState, type StateResource } from "./state.js";

/** @throws {CliError} when the stack does not exist */
export async function stackSource(
  { name, stack, file, guessed }: StackSpec,
  io: Io,
): Promise<ComparedSource> {
  const found = findProject(file);
  if (!mayHaveStacks(found, io.env))
    throw new CliError(
      `there is no stack ${stack}: the project of ${file} has none. Name another with stack:${stack}@FILE`,
    );
  const { notice } = findBackend(found, io.env);
  if (notice !== undefined) note(io, notice);
  const { cli, project, backend } = await openPulumi({ file, stack }, { secrets: false }, io);
  const text = await runPulumi(cli, ["stack", "export", "--stack", stack]).catch((error: unknown) => {
    if (!/no stack named/.test((error as Error).message)) throw error;
    const others = guessed ? `, nor is "${stack}" a file or a connection` : "";
    throw new CliError(`there is no stack ${stack} of project ${project.name} in ${backend}${others}`);
  });
  const { deployment } = JSON.parse(text) as { deployment?: { resources?: readonly StateResource[] } };
  return sourceOfState(deployment?.resources ?? [], { name, kind: "stack", stack });
}
