/** Reads the state of a stack as a source: what was last applied or read. Decrypts no secret. */
import { CliError } from "../../../errors.js";
import { note, type Io } from "../../../terminal/io.js";
import { findBackend, findProject, mayHaveStacks, prepareProject } from "../../../engine/stack/project.js";
import { runPulumi } from "../../../engine/stack/pulumi.js";
import { dataEnvironment, ensurePulumi, progressPrinter, trustedPath } from "../../../toolchain/index.js";
import type { ComparedSource } from "../object.js";
import type { StackSpec } from "../specs.js";
import { sourceOfState, type StateResource } from "./state.js";

/** @throws {CliError} when the stack does not exist */
export async function stackSource(
  { name, stack, file, guessed }: StackSpec,
  io: Io,
): Promise<ComparedSource> {
  const project = findProject(file);
  if (!mayHaveStacks(project, io.env))
    throw new CliError(
      `there is no stack ${stack}: the project of ${file} has none. Name another with stack:${stack}@FILE`,
    );
  const backend = findBackend(project, io.env);
  if (backend.notice !== undefined) note(io, backend.notice);
  prepareProject(project, backend);
  const toolchain = await ensurePulumi({
    env: { ...io.env, PATH: trustedPath(io.env) },
    onProgress: progressPrinter(io.stderr),
    languageHost: "optional",
  });
  const given = Object.entries(io.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  const env = {
    ...(Object.fromEntries(given) as Record<string, string>),
    ...dataEnvironment(toolchain, io.env),
    ...backend.env,
  };
  const cli = { command: toolchain.command, cwd: project.root, env };
  const text = await runPulumi(cli, ["stack", "export", "--stack", stack]).catch((error: unknown) => {
    if (!/no stack named/.test((error as Error).message)) throw error;
    const others = guessed ? `, nor is "${stack}" a file or a connection` : "";
    throw new CliError(`there is no stack ${stack} of project ${project.name} in ${backend.url}${others}`);
  });
  const { deployment } = JSON.parse(text) as { deployment?: { resources?: readonly StateResource[] } };
  return sourceOfState(deployment?.resources ?? [], { name, kind: "stack", stack });
}
