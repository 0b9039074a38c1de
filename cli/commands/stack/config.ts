/** Runs `workspacectl config`. */
import { text } from "node:stream/consumers";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { createStack, isMissing } from "../../../automation/stack/missing-stack.js";
import { runPulumi } from "../../../automation/stack/pulumi.js";
import { openPulumi } from "../../../automation/stack/pulumi-project.js";
import { type Io, print } from "../../../reports/io.js";
import { printPulumi } from "../../operations/print-pulumi.js";
import { promptAnswer } from "../../terminal/answers.js";
import type { ConfigGetOptions, ConfigSetOptions } from "./stack-command.js";

/** Prints one configuration value of a stack, or all with secrets masked. */
export async function runConfigGet(options: ConfigGetOptions, io: Io): Promise<number> {
  const { cli, stack } = await openPulumi(options, { secrets: options.key !== undefined }, io);
  const json = options.json ? ["--json"] : [];
  const what = options.key === undefined ? [] : ["get", options.key];
  await printPulumi(cli, ["config", ...what, "--stack", stack, ...json], io);
  return exitCodes.ok;
}

/** Sets a configuration value of a stack. Pulumi reads it from standard input, so it does not appear in process lists. */
export async function runConfigSet(options: ConfigSetOptions, io: Io): Promise<number> {
  const { key, value, secret } = options;
  if (secret && value !== undefined && value !== "-")
    throw new AutomationError(
      "a secret must not be written on the command line, because the shell stores it; nothing was changed",
      `omit the value to be asked for it, or pipe it in ("... | workspacectl config set ${key} - --secret")`,
    );
  const said = value === undefined || value === "-" ? await readValueFrom(key, value, io) : value;
  const { cli, stack } = await openPulumi(options, { secrets: secret === true }, io);
  const args = ["config", "set", key, "--stack", stack, secret ? "--secret" : "--plaintext"];
  await runPulumi(cli, args, said).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    // The first value comes before the first `up`, which may need it.
    await createStack((await openPulumi(options, { secrets: true }, io)).target, io);
    await runPulumi(cli, args, said);
  });
  cli.folder?.saveStack(stack);
  print(io, `${key} is set for stack ${stack}${secret ? ", encrypted" : ""}.`);
  return exitCodes.ok;
}

async function readValueFrom(key: string, value: string | undefined, io: Io): Promise<string> {
  if (value === "-" || !io.interactive) {
    const piped = (await text(io.stdin)).replace(/\r?\n$/, "");
    if (piped === "")
      throw new AutomationError(
        `there is no value for ${key} on standard input; nothing was changed`,
        `pipe the value in ("... | workspacectl config set ${key} -")`,
      );
    return piped;
  }
  const { password } = await import("@clack/prompts");
  const answer = await password({ message: `Value of ${key}`, input: io.stdin, output: io.stderr });
  return promptAnswer(answer, "nothing was changed");
}
