/** Tests prompts on the terminal: yes, no and an interruption are three outcomes that a shell can distinguish. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reportError } from "../../../cli/report-error.js";
import { askConfirmation, askHidden, askLine, readSecret } from "../../../cli/terminal/answers.js";
import { processIo } from "../../../cli/terminal/io.js";
import type { Io } from "../../../reports/io.js";
import { testIo } from "../support.js";

const [interrupt, escape] = ["\x03", "\x1b"];

/** Asks a question, and types as soon as it is shown. */
async function typing<T>(keys: string, ask: (io: Io) => Promise<T>) {
  const { io, written } = testIo();
  const asked = ask({ ...io, interactive: true });
  const type = setInterval(() => {
    if (written().stderr !== "") (io.stdin as unknown as NodeJS.WritableStream).write(keys);
  }, 20);
  const answer = await asked.catch((error: unknown) => error).finally(() => clearInterval(type));
  return answer instanceof Error
    ? { code: reportError(answer, io), stderr: written().stderr }
    : { answer, stderr: written().stderr };
}

const questions: readonly [string, (io: Io) => Promise<unknown>][] = [
  ["a question for yes or no", (io) => askConfirmation("Apply this plan?", io)],
  ["a question for a secret", (io) => askHidden("Client secret", io)],
  ["a question for a line", (io) => askLine("Base address", io)],
];

describe.each(questions)("%s", (_what, ask) => {
  it.each([
    ["Ctrl-C", interrupt],
    ["Esc", escape],
  ])("exits with 130 and no error when interrupted by %s", async (_key, key) => {
    const { code, stderr } = await typing(key, ask);
    expect(code).toBe(130);
    expect(stderr).toMatch(/interrupted; nothing was (changed|done)/);
    expect(stderr).not.toContain("error:");
  });
});

it("a confirmation accepts y and n", async () => {
  expect((await typing("y", questions[0]![1])).answer).toBe(true);
  expect((await typing("n", questions[0]![1])).answer).toBe(false);
});

it("each file that prompts uses promptAnswer", () => {
  const root = join(import.meta.dirname, "../../..");
  const files = ["automation", "cli"]
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
    )
    .filter((file) => file.endsWith(".ts"));
  const asking = files.filter((file) => readFileSync(join(root, file), "utf8").includes('"@clack/prompts"'));
  expect(asking.length).toBeGreaterThan(3);
  for (const file of asking) expect(readFileSync(join(root, file), "utf8"), file).toContain("promptAnswer(");
});

describe("a terminal of a job of CI", () => {
  it("is not read, because nobody types there", async () => {
    const { io } = testIo({ CI: "true" });
    Object.assign(io.stdin, { isTTY: true });
    await expect(askLine("Value", io)).rejects.toThrow(
      "there is no terminal to ask for an answer, because the environment variable CI is set",
    );
    await expect(readSecret("--token", "-", "Token", io)).rejects.toThrow(
      "there is no terminal to ask for an answer",
    );
  });
});

describe("the terminal of this process", () => {
  const streams = [process.stdin, process.stderr];
  const before = streams.map(({ isTTY }) => isTTY);
  const { columns } = process.stderr;
  afterEach(() => {
    streams.forEach((stream, index) => Object.assign(stream, { isTTY: before[index] }));
    process.stderr.columns = columns;
    vi.unstubAllEnvs();
  });

  it.each([
    ["true", false],
    ["1", false],
    ["false", true],
    ["", true],
  ])("with CI=%s can answer: %s, with at least 80 columns where it has no size", (value, interactive) => {
    vi.stubEnv("CI", value);
    vi.stubEnv("GITHUB_ACTIONS", "");
    vi.stubEnv("TF_BUILD", "");
    for (const stream of streams) Object.assign(stream, { isTTY: true });
    process.stderr.columns = 0;
    expect(processIo().interactive).toBe(interactive);
    if (interactive) expect(process.stderr.columns).toBe(80);
  });
});
