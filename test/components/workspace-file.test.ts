/** Tests what the component `WorkspaceFile` declares, and what its file may not do. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { workspaceFile } from "../../components/workspace-file.js";
import { asSecret, UNKNOWN } from "../../diff/values.js";
import { temporaryFolder } from "../cli/support.js";

const folder = join(temporaryFolder(), "program");
mkdirSync(folder);
const inFolder = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

async function declare(
  text: string,
  inputs: Record<string, unknown> = {},
  config: Record<string, string> = {},
) {
  const path = inFolder("workspace.yaml", `version: 1\n${text}`);
  const declarations = await workspaceFile.declare({
    name: "people",
    inputs: { path, ...inputs },
    stack: "eu",
    config: (key) => (config[key] === undefined ? undefined : { value: config[key], secret: false }),
    connection: () => Promise.resolve("us"),
  });
  return declarations?.map(({ name, args, secrets, references }) => ({ name, args, secrets, references }));
}
const group = "groups: { QA: { description: 'For ${config:who}' } }";

afterEach(() => vi.unstubAllEnvs());

describe("a workspace file in a program", () => {
  it("gets values of the program, and else of the stack's configuration", async () => {
    const declared = await declare(group, { values: { who: "all" } }, { who: "nobody" });
    expect(declared).toMatchObject([{ name: "groups/QA", args: { description: "For all" }, secrets: [] }]);
    expect(await declare(group, {}, { who: "us" })).toMatchObject([{ args: { description: "For us" } }]);
    await expect(declare(group)).rejects.toThrow(
      /workspace.yaml:2:\d+: the stack's configuration who is not set/,
    );
  });

  it("keeps secret values secret, and passes them on because the provider cannot read them", async () => {
    const text = "variables: { TOKEN: { value: '${secret:config:token}', encrypted: true } }";
    for (const values of [{ token: asSecret("told") }, asSecret({ token: "told" }), { token: "told" }])
      expect(await declare(text, { values })).toMatchObject([
        { args: { value: "told" }, secrets: ["value"], references: {} },
      ]);
    const [read] = (await declare(text, {}, { token: "configured" })) ?? [];
    expect(read?.references["value"]).toBeDefined();
  });

  it("knows in a preview that a text with an unknown value is unknown, and declares nothing of an unknown file", async () => {
    const declared = await declare(`${group.slice(0, -1)}, Ops: { description: known } }`, {
      values: { who: UNKNOWN },
    });
    expect(declared?.map(({ args }) => args["description"])).toEqual([UNKNOWN, "known"]);
    expect(await declare(group, { path: UNKNOWN })).toBeUndefined();
    expect(await declare(group, { overlays: [UNKNOWN] })).toBeUndefined();
    expect(await declare(group, { values: UNKNOWN })).toBeUndefined();
    expect(workspaceFile.outputs(undefined)).toEqual({ objects: UNKNOWN });
  });

  it("applies the overlay of the stack, and those that the program names", async () => {
    inFolder("workspace.eu.yaml", "groups: { QA: { description: of the stack } }");
    const more = inFolder("more.yaml", "groups: { Ops: { description: of the program } }");
    const declared = await declare("groups: { QA: {}, Ops: {} }", { overlays: [more] });
    expect(declared?.map(({ args }) => args["description"])).toEqual(["of the stack", "of the program"]);
    writeFileSync(join(folder, "workspace.eu.yaml"), "{}");
  });

  it("is data: it runs no code, and reads no file and no variable that it may not", async () => {
    const ran = join(folder, "ran");
    const code = inFolder(
      "code.cjs",
      `require("node:fs").writeFileSync(${JSON.stringify(ran)}, ""); module.exports = { version: 1 };`,
    );
    await expect(declare("", { path: code })).rejects.toThrow(
      "is a program, and only YAML or JSON is read here",
    );
    await expect(declare("", { overlays: [code] })).rejects.toThrow(
      "is a program, and only YAML or JSON is read here",
    );
    await expect(declare("include: [code.cjs]")).rejects.toThrow(
      "is a program, and only YAML or JSON can be included",
    );
    expect(existsSync(ran)).toBe(false);
    await expect(declare("", { path: "-" })).rejects.toThrow('paths of files, not "-"');

    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "key-in-clear");
    vi.stubEnv("WORKSPACE_VAR_TEAM", "testers");
    const reading = (placeholder: string) => declare(`groups: { QA: { description: '${placeholder}' } }`);
    expect(await reading("${env:TEAM}")).toMatchObject([{ args: { description: "testers" } }]);
    await expect(reading("${env:AWS_SECRET_ACCESS_KEY}")).rejects.toThrow(/workspace.yaml:2:/);
    writeFileSync(join(folder, "../outside.txt"), "outside-in-clear");
    await expect(reading("${file:../outside.txt}")).rejects.toThrow(/workspace.yaml:2:/);
    await expect(reading("${config:workspace-automation:token}")).rejects.toThrow(/workspace.yaml:2:/);
  });

  it("refuses another engine, another connection and inputs that it does not have", async () => {
    await expect(declare("engine: dynamic")).rejects.toThrow(
      'says "engine: dynamic", and a WorkspaceFile needs the plugin',
    );
    await expect(declare("connection: eu")).rejects.toThrow(
      'says "connection: eu", but the stack\'s is "us"',
    );
    expect(await declare("connection: us")).toEqual([]);
    await expect(declare("", { overlay: "x" })).rejects.toThrow(
      'unknown input "overlay". Did you mean "overlays"?',
    );
    await expect(declare("", { values: ["x"] })).rejects.toThrow("values must be a map");
    await expect(declare(group, { values: { who: { a: 1 } } })).rejects.toThrow(
      "values.who must be a string",
    );
    await expect(declare("", { path: "" })).rejects.toThrow("path is required");
  });
});
