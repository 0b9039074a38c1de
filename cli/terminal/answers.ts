/** Questions to the user, and what answers mean. Cancelling a prompt (Ctrl-C, Esc) ends the command like an interrupt. Secrets come from a hidden prompt or standard input: arguments appear in the shell's history and in process lists. */
import type { Readable } from "node:stream";
import type { ConfirmationRequest } from "../../automation/automation-port.js";
import { AutomationError } from "../../automation/errors.js";
import { stripControls } from "../../client/printable.js";
import type { Io } from "../../reports/io.js";
import { isCi } from "../../text/safe-text.js";

/** What shows beforehand what a command would change. */
const SHOWN: Readonly<Record<string, string>> = {
  "drift revert": ', or see what it would revert with "workspacectl drift"',
  "fleet up": ', or check the plans first with "workspacectl fleet preview"',
  up: ', or check the plan first with "workspacectl preview"',
};

/** What a command changes, and so asks for. */
type Changed = "workspace" | "stack";

/**
 * Requires `--yes` where there is no terminal, before any work is done.
 * @throws {AutomationError}
 */
export function requireYes(
  yes: boolean | undefined,
  command: string,
  io: Io,
  changed: Changed = "workspace",
): void {
  if (yes || io.answers) return;
  if (io.answers === false)
    throw new AutomationError(
      `${command} changes the ${changed}, and nobody answers its question`,
      'pass { yes: true } to this call, or a function "ask" to openWorkspace, which answers questions',
      { code: "not-confirmed" },
    );
  const plans = changed === "workspace";
  if (io.quiet)
    throw new AutomationError(
      `with --quiet, ${command} ${plans ? "does not show its plan" : "does not ask"}`,
      "add --yes",
    );
  if (io.interactive) return;
  const otherwise = plans ? (SHOWN[command] ?? "") : "";
  throw new AutomationError(
    `${command} changes the ${changed} and there is no terminal to ask for confirmation`,
    `add --yes${otherwise}`,
  );
}

/** Asks for a yes; anything else, and nobody to ask, is a no. @throws {AutomationError} when the prompt is cancelled */
export async function askConfirmation(
  question: string,
  io: Io,
  facts: Partial<ConfirmationRequest> = {},
): Promise<boolean> {
  return (await io.ask({ message: question, destructive: false, ...facts })) === true;
}

/** Asks for the name of the stack, because what follows cannot be undone. @throws {AutomationError} when the prompt is cancelled */
export async function confirmByName(
  question: string,
  name: string,
  io: Io,
  facts: Partial<ConfirmationRequest> = {},
): Promise<boolean> {
  return (await io.ask({ message: question, destructive: true, stack: name, ...facts })) === true;
}

/** Asks on the terminal: for a yes, or for the name of the stack where something would be destroyed. */
export async function promptConfirmation(
  { message, destructive, stack }: ConfirmationRequest,
  { stdin: input, stderr: output }: Io,
): Promise<boolean> {
  const { confirm, text } = await import("@clack/prompts");
  if (!destructive || stack === undefined) {
    const answer = await confirm({ message: stripControls(message), initialValue: false, input, output });
    return promptAnswer(answer, "nothing was changed");
  }
  const answer = await text({
    message: stripControls(`${message} Type ${stack} to confirm`),
    input,
    output,
  });
  return promptAnswer(answer, "nothing was changed") === stack;
}

/**
 * Returns the answer to a prompt.
 * @param left explanation for a cancelled prompt: what was not done
 * @throws {AutomationError} with the exit code of an interrupt
 */
export function promptAnswer<T>(answer: T, left: string): Exclude<T, symbol> {
  // The library returns a symbol for a cancelled prompt.
  if (typeof answer === "symbol")
    throw new AutomationError(
      `interrupted; ${left}`,
      "run the command again, and answer its prompt, to continue",
      {
        code: "interrupted",
      },
    );
  return answer as Exclude<T, symbol>;
}

/**
 * Reads a secret with the method that an option selects.
 * @throws {AutomationError} for any other value: it is probably the secret itself, so it is not repeated
 */
export async function readSecret(option: string, way: string, question: string, io: Io): Promise<string> {
  if (way !== "-" && way !== "prompt") {
    throw new AutomationError(
      `${option} accepts "-" (read it from standard input) or "prompt" (ask for it), never the secret itself: the shell stores command lines, and other users can see them`,
      "If that was a secret, replace it",
    );
  }
  const secret = (way === "-" ? await readStandardInput(io) : await askSecret(option, question, io)).trim();
  if (secret !== "") return secret;
  throw new AutomationError(
    `${option}: received nothing from ${way === "-" ? "standard input" : "the terminal"}`,
    `pass the secret there, or choose the other way (${option} ${way === "-" ? "prompt" : "-"})`,
  );
}

async function askSecret(option: string, question: string, io: Io): Promise<string> {
  if (!io.interactive) {
    throw new AutomationError(
      "there is no terminal to ask for an answer",
      `pass it on standard input with ${option} -`,
    );
  }
  return (await askHidden(question, io)) ?? "";
}

/** Prompts for a hidden text. Only for an interactive Io. */
export async function askHidden(question: string, io: Io): Promise<string | undefined> {
  const { password } = await import("@clack/prompts");
  const answer = await password({ message: stripControls(question), input: io.stdin, output: io.stderr });
  return promptAnswer(answer, "nothing was done");
}

/** Prompts for a hidden text that is not empty. */
export async function askRequired(message: string, { stdin: input, stderr: output }: Io): Promise<string> {
  const { password } = await import("@clack/prompts");
  const validate = (value: string | undefined) => (value ? undefined : "It must not be empty.");
  return promptAnswer(await password({ message, input, output, validate }), "nothing was done");
}

/** Prompts for a line, or reads the next line of standard input without a terminal. */
export async function askLine(question: string, io: Io): Promise<string> {
  if (!io.interactive) return (await readStandardInput(io)).trim();
  const { text } = await import("@clack/prompts");
  const answer = await text({ message: stripControls(question), input: io.stdin, output: io.stderr });
  return promptAnswer(answer, "nothing was done").trim();
}

/** @throws {AutomationError} in a job of CI whose standard input is a terminal, in which nobody types */
async function readStandardInput(io: Io): Promise<string> {
  if (io.stdin.isTTY && isCi(io.env))
    throw new AutomationError(
      "there is no terminal to ask for an answer, because the environment variable CI is set",
      "pass the answer on standard input",
    );
  return readLine(io.stdin);
}

/** Reads the next line of a stream, and leaves the rest to the next reader. */
async function readLine(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const end = text.indexOf("\n");
    if (end < 0) continue;
    const rest = text.slice(end + 1);
    if (rest !== "") stream.unshift(Buffer.from(rest));
    return text.slice(0, end);
  }
  return text;
}
