/**
 * Tests that a stack of an earlier release runs on without a difference. The states in test/fixtures/earlier-release were made by commit
 * 9acc4f5d from the file next to them, for both engines; the requests that it sent make the same workspace here.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { chooseStories } from "../stories.js";
import { setUp } from "./support.js";

const fixture = resolve(import.meta.dirname, "../fixtures/earlier-release");
const ADDRESS = "http://127.0.0.1:4979";

interface Sent {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** Status of the response, for requests of the run itself. */
  readonly status?: number;
}

interface State {
  readonly checkpoint: {
    readonly latest: {
      readonly resources: {
        readonly inputs?: Record<string, unknown>;
        readonly outputs?: Record<string, unknown>;
      }[];
    };
  };
}

/** Makes the workspace by the requests of the earlier release. The objects get the same numbers. */
async function replay(emulator: Emulator, engine: string): Promise<void> {
  const all = JSON.parse(readFileSync(join(fixture, `${engine}.writes.json`), "utf8")) as Sent[];
  for (const request of all) {
    const { status, body } = await emulator.edit(request);
    expect(status, JSON.stringify([request, body])).toBe(request.status ?? 201);
  }
}

/** Adapts the state to this emulator: its address, and the form in which it shows encrypted values. */
async function stateFor(emulator: Emulator, engine: string): Promise<string> {
  const text = readFileSync(join(fixture, `${engine}.state.json`), "utf8");
  const state = JSON.parse(text.replaceAll(ADDRESS, emulator.baseUrl)) as State;
  for (const { outputs } of state.checkpoint.latest.resources) {
    const observed = outputs?.["observed"] as Record<string, unknown> | undefined;
    if (!String(observed?.["value"]).startsWith("secure!")) continue;
    const path = `/workspaces/acme/variables/${String(outputs?.["variableId"])}`;
    const { body } = await emulator.edit({ method: "GET", path });
    observed!["value"] = (body as { value: string }).value;
  }
  return JSON.stringify(state);
}

const WORDS = ["adopt", "member", "key", "previously"];

it.each(chooseStories(["dynamic", "plugin"], 1))(
  "continues a stack of an earlier release (%s)",
  async (engine) => {
    const { run, emulator, folder, file } = await setUp("version: 1\n", {
      ...{ echoMemberEmail: true, token: "token-of-the-fixture-0123456789" },
    });
    cpSync(fixture, folder, { recursive: true });
    await replay(emulator, engine);
    const stacks = join(folder, ".pulumi-state/.pulumi/stacks/workspace-automation");
    mkdirSync(stacks, { recursive: true });
    writeFileSync(join(folder, ".pulumi-state/.pulumi/meta.yaml"), "version: 1\n");
    cpSync(join(fixture, `${engine}.Pulumi.dev.yaml`), join(folder, ".pulumi-state/Pulumi.dev.yaml"));
    writeFileSync(join(stacks, "dev.json"), await stateFor(emulator, engine));
    emulator.journal.clear();
    const expectNoDifference = async (what: string) => {
      const preview = await run("preview", "--engine", engine);
      expect(preview.stdout + preview.stderr, what).toContain("No changes");
      const drift = await run("drift", "--engine", engine);
      expect({ code: drift.code, text: drift.stdout }, what).toMatchObject({
        code: 0,
        text: expect.stringContaining("No drift") as string,
      });
      const up = await run("up", "--yes", "--engine", engine);
      expect(up.code, up.stdout + up.stderr).toBe(0);
      expect(emulator.journal.writes(), what).toEqual([]);
    };

    await expectNoDifference("as it is");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/(?:, )?(?:adopt: true|member: \d+|previously: \[\w+\])/g, ""));
    expect(readFileSync(file, "utf8")).not.toMatch(/adopt|member:|previously/);
    await expectNoDifference("without the words that only the file knows");

    const after = JSON.parse(readFileSync(join(stacks, "dev.json"), "utf8")) as State;
    const known = after.checkpoint.latest.resources.flatMap(({ inputs = {}, outputs = {} }) =>
      Object.keys({ ...inputs, ...outputs }).filter(
        (name) =>
          WORDS.includes(name) && !("key" in inputs || "group" in inputs || "permissionSet" in inputs),
      ),
    );
    expect(known, "the state has lost them").toEqual([]);
  },
);
