/** A program of plain Pulumi that declares objects at an emulator of its own, and the steps of its runs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Emulator, EmulatorOptions } from "../../emulator/index.js";
import type { ProviderEngine } from "../../provider/index.js";
import {
  clone,
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  startPulumi,
  stateIn,
  temporaryFolder,
} from "./support.js";

/** What a run does with an object that it does not leave as it is. */
export interface Step {
  readonly operation: string;
  readonly name: string;
}

export interface PlainProgram {
  /** Its folder, with `program.js`. */
  readonly root: string;
  readonly emulator: Emulator;
  /** Runs Pulumi, which has to succeed. */
  readonly run: (...argv: string[]) => Promise<string>;
  /** Starts Pulumi. */
  readonly start: (...argv: string[]) => ReturnType<typeof startPulumi>;
  /** Runs Pulumi, and returns its steps with objects of the service. */
  readonly stepsOf: (...argv: string[]) => Promise<readonly Step[]>;
}

/**
 * Makes the folder of a program and a stack for it.
 * @param title for the message of a failure
 */
export async function openPlainProgram(
  engine: ProviderEngine,
  title: string,
  options: EmulatorOptions = {},
  more: NodeJS.ProcessEnv = {},
): Promise<PlainProgram> {
  const folder = temporaryFolder();
  const root = join(folder, "clone");
  const emulator = await emulatorForTests({ strictBodies: true, ...options });
  const env = isolated(folder, {
    ...{ ...connected(emulator), ...stateIn(folder), ...more },
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    // For --event-log, which the Automation API uses, too.
    PULUMI_DEBUG_COMMANDS: "true",
  });
  clone(root);
  writeFileSync(
    join(root, "Pulumi.yaml"),
    `name: program
runtime: { name: nodejs, options: { typescript: false } }
main: program.js
plugins: { providers: [{ name: workspace-automation, path: ./node_modules/pulumi-workspace-automation/plugin }] }
config: { "workspace-automation:engine": ${engine} }
`,
  );
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await pulumi(argv, root, env);
    const said = /Diagnostics:[^]*/.exec(stdout)?.[0] ?? stdout;
    expect(code, `${title}, ${engine}: ${argv.join(" ")}\n${said}${stderr}`).toBe(0);
    return stdout;
  };
  const log = join(folder, "events.json");
  const stepsOf = async (...argv: string[]) => {
    writeFileSync(log, "");
    await run(...argv, "--event-log", log);
    return readSteps(readFileSync(log, "utf8"));
  };
  await run("stack", "init", "dev");
  return { root, emulator, run, start: (...argv) => startPulumi(argv, root, env), stepsOf };
}

function readSteps(events: string): Step[] {
  const lines = events.split("\n").filter((text) => text !== "");
  return lines.flatMap((line) => {
    const { resourcePreEvent } = JSON.parse(line) as {
      readonly resourcePreEvent?: { readonly metadata: { readonly op: string; readonly urn: string } };
    };
    if (resourcePreEvent === undefined) return [];
    const { op, urn } = resourcePreEvent.metadata;
    const [, , type = "", name = ""] = urn.split("::");
    return op === "same" || !type.includes("workspace-automation:") ? [] : [{ operation: op, name }];
  });
}
