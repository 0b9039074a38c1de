/** Tests which stack a command takes when several things name one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBackend } from "../../../automation/stack/backend.js";
import { formatMissingStack, withCreatedStack } from "../../../automation/stack/missing-stack.js";
import { findProject } from "../../../automation/stack/project.js";
import { chooseStack, selectStack } from "../../../automation/stack/stack-choice.js";
import { fileIn, temporaryFolder, testIo } from "../../cli/support.js";

interface World {
  readonly option?: string;
  readonly environment?: string;
  readonly file?: string;
  readonly selected?: string;
  readonly existing?: readonly string[];
}

/** Chooses the stack of a folder with a workspace file and without a Pulumi.yaml. */
async function chosen({ option, environment, file, selected, existing = [] }: World) {
  const folder = temporaryFolder();
  const env: NodeJS.ProcessEnv = { PULUMI_HOME: join(folder, "home") };
  if (environment !== undefined) env["PULUMI_STACK"] = environment;
  const line = file === undefined ? "" : `stack: ${file}\n`;
  const named = fileIn(folder, "workspace.yaml", `version: 1\nworkspace: acme\n${line}`);
  const project = findProject(named);
  const backend = findBackend(project, env);
  const states = join(folder, ".pulumi-state", ".pulumi", "stacks", "workspace-automation");
  if (existing.length > 0) {
    mkdirSync(states, { recursive: true });
    writeFileSync(join(folder, ".pulumi-state", ".pulumi", "meta.yaml"), "version: 1\n");
  }
  for (const name of existing) writeFileSync(join(states, `${name}.json`), "{}");
  if (selected !== undefined) await selectStack(project, backend, env, selected);
  const list = () => Promise.reject(new Error("the files tell"));
  const request = { file: named, ...(option === undefined ? {} : { stack: option }) };
  return chooseStack(request, { project, backend, list }, testIo(env).io);
}

describe("the stack of a command", () => {
  const all: World = {
    ...{ option: "a", environment: "b", file: "c", selected: "d" },
    existing: ["e"],
  };

  it("is the first that something names, in the documented order", async () => {
    const { option: _a, ...withoutOption } = all;
    const { environment: _b, ...withoutEnvironment } = withoutOption;
    const { file: _c, ...withoutFile } = withoutEnvironment;
    const { selected: _d, ...unselected } = withoutFile;
    const worlds = [all, withoutOption, withoutEnvironment, withoutFile, unselected, {}];
    const found = await Promise.all(worlds.map(chosen));
    expect(found.map(({ name, why }) => `${name}: ${why.replace(/\/.*\//, "")}`)).toEqual([
      "a: named with --stack",
      "b: named by PULUMI_STACK",
      "c: named in workspace.yaml",
      "d: the selected one",
      "e: the only one",
      "dev: the default, because none is specified or selected",
    ]);
  });

  it("is not guessed among several", async () => {
    expect(await chosen({ existing: ["eu", "us"] })).toMatchObject({ name: "dev" });
  });

  it("becomes the selected one when it is made, unless the file or the environment names one", async () => {
    const worlds: World[] = [{}, { option: "us" }, { environment: "us" }, { file: "us" }];
    const found = await Promise.all(worlds.map(chosen));
    expect(found.map(({ isFree }) => isFree)).toEqual([true, true, false, false]);
  });

  it("is a plain name of the same project, wherever the file would lead", async () => {
    for (const name of ["other/project/us", "../us", "${env:STACK}", "[us]"])
      await expect(chosen({ file: name })).rejects.toThrow(/workspace\.yaml:3:8: stack/);
  });
});

describe("the name of a stack", () => {
  it.each(["dev", "organization/shop/eu-1", "me/dev", "a".repeat(100)])("may be %.30s", async (name) => {
    expect(await chosen({ option: name })).toMatchObject({ name });
  });

  it.each([
    ["a".repeat(300), '"aaa[^"]*…", which has 300 characters \\(named with --stack\\)'],
    ["../dev", ""],
    ["a/../b", ""],
    ["a//b", ""],
    ["organization/x/y/z", ""],
    ["dev us", ""],
    ["--help;ls", ""],
  ])("is refused before Pulumi gets it: %.30s", async (name, message) => {
    await expect(chosen({ option: name })).rejects.toThrow(new RegExp(message || "cannot be called"));
    await expect(chosen({ environment: name })).rejects.toThrow("(named by PULUMI_STACK)");
  });
});

describe("a stack that does not exist", () => {
  it("is named with the reason why it was taken, and with those that exist", () => {
    const folder = temporaryFolder();
    const env = { PULUMI_HOME: join(folder, "home"), PULUMI_BACKEND_URL: "file:///state" };
    const project = findProject(join(folder, "workspace.yaml"));
    const target = { name: "dev", why: "the default, because none is specified or selected", isFree: true };
    const text = formatMissingStack({ ...target, project, backend: findBackend(project, env) }, ["eu", "us"]);
    expect(text).toBe(
      "stack dev (the default, because none is specified or selected) does not exist yet; " +
        "project workspace-automation has eu, us in file:///state",
    );
  });

  it("can be named by the option that creates it", () => {
    expect(withCreatedStack({ createStack: "us" })).toEqual({ createStack: true, stack: "us" });
    expect(withCreatedStack({ createStack: true, stack: "us" })).toEqual({
      createStack: true,
      stack: "us",
    });
    expect(() => withCreatedStack({ createStack: "us", stack: "eu" })).toThrow(
      "pass only one of the two options, or the same name",
    );
  });
});
