/** Reads secrets from standard input or a hidden prompt: arguments appear in the shell's history and in process lists. */
import type { Readable } from "node:stream";
import { promptAnswer } from "../../terminal/answers.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";

/**
 * Reads a secret with the method that an option selects.
 * @throws {CliError} for any other value: it is probably the secret itself, so it is not repeated
 */
export async function readSecret(option: string, way: string, question: string, io: Io): Promise<string> {
  if (way !== "-" && way !== "prompt") {
    throw new CliError(
      `${option} accepts "-" (read it from standard input) or "prompt" (ask for it), never the secret itself: the shell stores command lines, and other users can see them`,
      "If that was a secret, replace it",
    );
  }
  const secret = (way === "-" ? await readLine(io.stdin) : await askSecret(option, question, io)).trim();
  if (secret !== "") return secret;
  throw new CliError(
    `${option}: received nothing from ${way === "-" ? "standard input" : "the terminal"}`,
    `pass the secret there, or choose the other way (${option} ${way === "-" ? "prompt" : "-"})`,
  );
}

async function askSecret(option: string, question: string, io: Io): Promise<string> {
  if (!io.interactive) {
    throw new CliError("there is no terminal for a prompt", `pass it on standard input with ${option} -`);
  }
  return (await askHidden(question, io)) ?? "";
}

/** Prompts for a hidden text. Only for an interactive Io. */
export async function askHidden(question: string, io: Io): Promise<string | undefined> {
  const { password } = await import("@clack/prompts");
  const answer = await password({ message: question, input: io.stdin, output: io.stderr });
  return promptAnswer(answer, "nothing was done");
}

/** Prompts for a line, or reads the next line of standard input without a terminal. */
export async function askLine(question: string, io: Io): Promise<string> {
  if (!io.interactive) return (await readLine(io.stdin)).trim();
  const { text } = await import("@clack/prompts");
  const answer = await text({ message: question, input: io.stdin, output: io.stderr });
  return promptAnswer(answer, "nothing was done").trim();
}

/** Reads the next line of a stream, and leaves the rest to the next reader. */
export async function readLine(stream: Readable): Promise<string> {
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
