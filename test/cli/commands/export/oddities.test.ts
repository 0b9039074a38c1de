/** Tests individually the odd cases that generated workspaces revealed (generated.long.test.ts). */
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../../emulator/index.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { tellsAllStories } from "../../../stories.js";
import { apply } from "./apply.js";
import { type Exported, exported } from "./generated/exported.js";
import { make } from "./generated/make.js";
import { comesUnderCode, isCopied } from "./generated/round-trip.js";
import { withEmulator } from "./generated/run.js";
import type { RawAction, RawWorkspace, Settings } from "./generated/workspace.js";

const nothing: RawWorkspace = { members: [], permissionSets: [], groups: [], variables: [], projects: [] };

interface Found {
  readonly file: Exported;
  readonly names: readonly string[];
  /** Violations found in the import and in the copy. */
  readonly problems: readonly string[];
}

/** Creates, exports, imports and copies a workspace. */
async function found(
  raw: Partial<RawWorkspace>,
  settings: Partial<Settings> = {},
  split = false,
): Promise<Found> {
  return withEmulator({ echoMemberEmail: true, ...settings }, async (emulator: Emulator) => {
    const made = await make(emulator, { ...nothing, ...raw });
    expect(made.refused).toBe(0);
    const file = await exported(emulator, { split, branches: false });
    const imported = await comesUnderCode(emulator, { split, branches: false });
    const copied = await withEmulator({ echoMemberEmail: true, ...settings }, (second) =>
      isCopied(emulator, second, { split: false, branches: false }),
    );
    return {
      file,
      names: file.declarations.map(({ name }) => name),
      problems: [...imported, ...(copied ?? [])],
    };
  });
}

const steps = (...actions: (RawAction["body"] & { readonly variables_?: RawAction["variables"] })[]) => ({
  projects: [
    {
      body: { name: "web" },
      members: [],
      variables: [],
      branches: [],
      pipelines: [
        {
          body: { name: "deploy", trigger_mode: "MANUAL", ref_name: "main" },
          variables: [],
          actions: actions.map(({ variables_: variables = [], ...body }) => ({
            body: { name: "Step", trigger_time: "ON_EVERY_EXECUTION", ...body },
            variables,
          })),
        },
      ],
    },
  ],
});

const group = (name: string) => ({ body: { name }, members: [] });

const STEP = "projects/web/pipelines/deploy/actions/Step";

describe("names", () => {
  it("are distinct if they differ only in what looks like an escape", async () => {
    const { names, problems } = await found({ groups: [group("a/b"), group("a%2Fb"), group("a%252Fb")] });
    expect([...names].sort()).toEqual(["groups/a%25252Fb", "groups/a%252Fb", "groups/a%2Fb"]);
    expect(problems).toEqual([]);
  });

  it("are distinct if they differ in case", async () => {
    const { names, problems } = await found({ groups: ["Deploy", "deploy"].map(group) });
    expect([...names].sort()).toEqual(["groups/Deploy", "groups/deploy"]);
    expect(problems).toEqual([]);
  });

  it.each([
    ["spaces", ["deploy", "deploy ", " deploy"]],
    ["Unicode composition", ["caf\u00e9", "cafe\u0301"]],
  ])("are distinct if they differ in %s, but no second object is created elsewhere", async (_, names) => {
    const { file, problems } = await found({ groups: names.map(group) });
    expect(file.declarations.map(({ args }) => args["name"]).sort()).toEqual([...names].sort());
    expect(problems).toEqual([]);
    await withEmulator({}, async (second) => {
      await expect(apply(second, file.declarations)).rejects.toThrow(
        /is also declared by another entry or resource of this run/,
      );
    });
  });

  it("of projects may be longer than file systems allow", async () => {
    const body = { name: "\u4e2d".repeat(120) };
    const project = { body, members: [], variables: [], branches: [], pipelines: [] };
    const { file, problems } = await found({ projects: [project] }, {}, true);
    expect(file.code).toBe(0);
    expect(problems).toEqual([]);
  });

  it("of permission sets are reported as ambiguous if a built-in set has the same name", async () => {
    const levels = {
      repository_access_level: "DENIED",
      pipeline_access_level: "DENIED",
      description: "mine",
    };
    const { file, problems } = await found({ permissionSets: [{ name: "Developer", ...levels }] });
    expect(file.code).toBe(10);
    expect(file.told).toContain('PermissionSet: 2 of the name "Developer"');
    expect(problems).toEqual([]);
  });

  it("are printed without control characters in the report of omitted objects", async () => {
    const group = { body: { name: "\u001b[31mred\u0007" }, members: [] };
    const { file } = await found({ groups: [group, group] });
    expect(file.told).toContain("[31mred");
    expect(file.told).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it("that cannot be keys of a file are reported, with their contents", async () => {
    const { file, names, problems } = await found({
      groups: [{ body: { name: "__proto__" }, members: [] }],
      ...steps({ name: "__proto__", type: "PING", destination: "host" }),
    });
    expect(file.told).toContain('no key of a file may be "__proto__": rename the object (groups/__proto__)');
    expect(names).toContain("projects/web/pipelines/deploy/actions/__proto__");
    expect(problems).toEqual([]);
  });
});

describe("people", () => {
  it("are external if a group refers to one whose address a file cannot contain", async () => {
    const { file, problems } = await found({
      members: [{ email: "a/b@example.com", admin: false }],
      groups: [{ body: { name: "QA" }, members: [1] }],
    });
    expect(file.code).toBe(10);
    expect(file.text).toMatch(/a\/b@example.com:\n\s+external: true/);
    expect(problems).toEqual([]);
  });
});

describe("actions", () => {
  it("of a known type in an undocumented mode are exported with their fields", async () => {
    const { file, problems } = await found(
      steps({
        type: "SSH_COMMAND",
        authentication_mode: "PRIVATE_KEY",
        commands: ["ls"],
        host: "h",
        extra: { a: 0 },
      }),
    );
    expect(file.declarations.find(({ name }) => name === STEP)?.args).toMatchObject({
      type: "SSH_COMMAND",
      fields: { authentication_mode: "PRIVATE_KEY", commands: ["ls"], host: "h", extra: { a: 0 } },
    });
    expect(problems).toEqual([]);
  });

  it("of an unknown type may have any trigger time, and need no fields", async () => {
    const { file, problems } = await found(steps({ type: "CUSTOM", trigger_time: "ON_WAIT_FOR_APPROVE" }));
    expect(file.code).toBe(0);
    expect(file.declarations.find(({ name }) => name === STEP)?.args).toMatchObject({
      triggerTime: "ON_WAIT_FOR_APPROVE",
      fields: {},
    });
    expect(problems).toEqual([]);
  });

  it("whose fields are hidden are reported with their contents instead of declared without fields", async () => {
    const variables_ = [{ key: "A", value: "1" }];
    const { file, names } = await found(steps({ type: "CUSTOM", depth: 3, variables_ }), {
      embeddedActions: "summary",
      listedActions: "summary",
      singleActionPaths: false,
    });
    expect(file.code).toBe(10);
    expect(names).not.toContain(STEP);
    expect(file.told).toContain(
      `Action: skipped: the service does not return what its type requires (${STEP})`,
    );
    expect(file.told).toContain(`Variable: omitted: its parent is not in the file (${STEP}/variables/A)`);
  });

  it("lose only the field with a key that a file cannot contain, which is reported", async () => {
    const odd = JSON.parse('{ "deep": { "__proto__": 1 }, "depth": 3 }') as Record<string, unknown>;
    const { file, problems } = await found(steps({ ...odd, type: "CUSTOM" }));
    expect(file.code).toBe(10);
    expect(file.told).toContain('fields is incomplete: a file cannot contain a key "__proto__"');
    expect(file.declarations.find(({ name }) => name === STEP)?.args["fields"]).toEqual({ depth: 3 });
    expect(problems).toEqual([]);
  });

  it("may have variables next to an empty list of their own variables", async () => {
    const agent = {
      type: "AGENT",
      container_image_name: "a",
      container_image_tag: "1",
      execute_commands: ["a"],
    };
    const { names, problems } = await found(
      steps({ ...agent, variables: [], variables_: [{ key: "A", value: "1" }] }),
    );
    expect(names).toContain(`${STEP}/variables/A`);
    expect(problems).toEqual([]);
  });
});

describe("texts", () => {
  it("with half a surrogate pair are reported, since neither a file nor Pulumi can contain them", async () => {
    const half = "a \ud83d b";
    const { file, names } = await found({
      variables: [
        { key: "A", value: half },
        { key: "B", value: "b", description: half },
      ],
      ...steps({ type: "CUSTOM", depth: 3, deep: [half] }),
    });
    expect(file.code).toBe(10);
    expect(names).not.toContain("variables/A");
    expect(file.told).toContain("Variable: skipped: it requires its value (variables/A)");
    expect(file.declarations.find(({ name }) => name === "variables/B")?.args).toMatchObject({ value: "b" });
    expect(file.declarations.find(({ name }) => name === STEP)?.args["fields"]).toEqual({ depth: 3 });
    const read = () =>
      readDeclarations("-", { stdin: () => 'version: 1\nvariables: { A: "a \\uD83D b" }\n' });
    expect(read).toThrow(/<stdin>:2:17: .*half of a character/);
  });
});

describe("a workspace that exceeds the size limit of a file", () => {
  const long = "some words and ".repeat(1000);
  const action = (name: string) => ({
    ...steps({ name, type: "SMS", recipients: "1", content: long }).projects[0]!.pipelines[0]!,
  });
  const pipelines = Array.from({ length: 170 }, (_, index) => {
    const { actions, body } = action("Tell");
    return { actions, variables: [], body: { ...body, name: `p${index}` } };
  });
  const large = { projects: [{ ...steps().projects[0]!, pipelines }] };

  it.runIf(tellsAllStories)("is written to a folder with several files", async () => {
    await withEmulator({ echoMemberEmail: true }, async (emulator) => {
      await make(emulator, { ...nothing, ...large });
      const one = await exported(emulator, { split: false, branches: false });
      expect(one.code).toBe(1);
      expect(one.told).toMatch(/too large for one file .*export it with --split DIR/);
      const { code, declarations } = await exported(emulator, { split: true, branches: false });
      expect(code).toBe(0);
      expect(declarations).toHaveLength(1 + 2 * pipelines.length);
    });
  });
});

describe("a pipeline that cannot be declared", () => {
  it("is external, and its actions are exported", async () => {
    const { projects } = steps({ type: "PING", destination: "host" });
    const pipeline = {
      ...projects[0]!.pipelines[0]!,
      body: { name: "p", trigger_mode: "MANUAL", ref_name: "\ud83d" },
    };
    const { file, names, problems } = await found({ projects: [{ ...projects[0]!, pipelines: [pipeline] }] });
    expect(file.text).toMatch(/p:\n\s+external: true\n\s+actions:/);
    expect(names).toContain("projects/web/pipelines/p/actions/Step");
    expect(problems.filter((problem) => !problem.startsWith("up: "))).toEqual([]);
  });
});

describe("placeholders", () => {
  it("replace texts that contain a token or a key, whatever their purpose", async () => {
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const build = { type: "BUILD", container_image_name: "node", container_image_tag: "22" };
    const { file, problems } = await found(
      steps({
        ...build,
        execute_commands: ["npm ci", `set -e\n\ncurl -H "X: ${token}" https://example.com\n`],
      }),
    );
    expect(file.code).toBe(0);
    expect(file.text).not.toContain(token);
    expect(file.text).toContain("- npm ci\n");
    expect(file.text).toContain(
      'curl -H "X: ${secret:env:WEB_DEPLOY_STEP_EXECUTE_COMMANDS_2}" https://example.com\n',
    );
    expect(problems).toEqual([]);
  });

  it("are numbered by the contents of the file, so that a copy has the same ones", async () => {
    const twin = { key: "API_KEY", value: "a", encrypted: true };
    const hidden = { type: "PING", destination: "h" };
    const { file, problems } = await found({
      ...steps(
        { ...hidden, variables_: [{ ...twin, key: "KEY" }] },
        { ...hidden, name: "step", variables_: [{ ...twin, key: "KEY" }] },
      ),
      variables: [{ ...twin, key: "api-key" }, twin],
    });
    expect(Object.keys(file.env).sort()).toEqual([
      "WORKSPACE_VAR_API_KEY",
      "WORKSPACE_VAR_API_KEY_2",
      "WORKSPACE_VAR_WEB_DEPLOY_STEP_KEY",
      "WORKSPACE_VAR_WEB_DEPLOY_STEP_KEY_2",
    ]);
    expect(problems).toEqual([]);
  });
});
