/** Tries the guards on programs in TypeScript, Python and YAML: what plain Pulumi holds of them, and what `workspacectl --program` refuses. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, vi } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { languageProgram, missingGo } from "./language-hosts.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

vi.setConfig({ testTimeout: 900_000 });

interface Declared {
  readonly type: string;
  readonly name: string;
  /** `$id` stands for the id of another object. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly protect?: boolean;
}

interface Language {
  readonly runtime: string;
  /** Language host that has to be built. */
  readonly host?: string;
  readonly needs?: string;
  readonly prepare?: (folder: string, env: NodeJS.ProcessEnv) => Promise<unknown>;
  /** The program, as a file of the folder; YAML has it in Pulumi.yaml. */
  readonly source?: readonly [file: string, text: string];
}

const reading = {
  nodejs: `import { readFileSync } from "node:fs";
import * as workspace from "pulumi-workspace-automation";
const made = {};
const resolve = (value) => (value?.$id === undefined ? value : made[value.$id].id);
for (const { type, name, args, protect } of JSON.parse(readFileSync("declared.json", "utf8"))) {
  const resolved = Object.fromEntries(Object.entries(args).map(([arg, value]) => [arg, resolve(value)]));
  made[name] = new workspace[type](name, resolved, protect ? { protect } : {});
}
`,
  python: `import json
import pulumi

made = {}
for one in json.load(open("declared.json")):
    args = {name: made[value["$id"]].id if isinstance(value, dict) else value for name, value in one["args"].items()}
    options = pulumi.ResourceOptions(protect=True) if one.get("protect") else None
    made[one["name"]] = pulumi.CustomResource("workspace-automation:index:" + one["type"], one["name"], args, options)
`,
};

const languages: Readonly<Record<string, Language>> = {
  TypeScript: { runtime: "nodejs", source: ["program.mjs", reading.nodejs] },
  Python: {
    runtime: "{ name: python, options: { virtualenv: venv } }",
    host: "pulumi-language-python",
    needs: "python3",
    source: ["__main__.py", reading.python],
    async prepare(folder, env) {
      await execa("python3", ["-m", "venv", "venv"], { cwd: folder, env, extendEnv: false });
      const pip = ["-m", "pip", "install", "--quiet", "pulumi>=3.200,<4"];
      await execa("venv/bin/python", pip, { cwd: folder, env, extendEnv: false });
    },
  },
  YAML: { runtime: "yaml", host: "pulumi-language-yaml" },
};

const noGo = await missingGo();

/** A program that is written anew for each list of objects, with a stack of its own. */
async function setUp({ runtime, host, source, prepare }: Language) {
  const root = temporaryFolder();
  const folder = join(root, "program");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  for (const name of ["pulumi-workspace-automation", "@pulumi"])
    symlinkSync(join(repository, "node_modules", name), join(folder, "node_modules", name), "dir");
  const emulator = await emulatorForTests({ echoMemberEmail: true, strictBodies: true });
  const path = [
    join(folder, "venv/bin"),
    ...(host ? [await languageProgram(host)] : []),
    process.env["PATH"],
  ];
  const env = isolated(root, {
    ...{ ...connected(emulator), ...stateIn(root), PATH: path.join(delimiter) },
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    // For saved plans of plain Pulumi.
    PULUMI_EXPERIMENTAL: "true",
  });
  const head = `name: guards
runtime: ${runtime}
${source?.[0].endsWith(".mjs") ? `main: ${source[0]}\n` : ""}plugins:
  providers: [{ name: workspace-automation, path: ./node_modules/pulumi-workspace-automation/plugin }]
`;
  if (source) writeFileSync(join(folder, source[0]), source[1]);
  await prepare?.(folder, env);

  const declare = (objects: readonly Declared[]) => {
    writeFileSync(join(folder, "declared.json"), JSON.stringify(objects));
    writeFileSync(join(folder, "Pulumi.yaml"), source ? head : `${head}resources: ${inYaml(objects)}\n`);
  };
  const run = async (ended: Promise<{ code: number | undefined; stdout: string; stderr: string }>) => {
    const { code, stdout, stderr } = await ended;
    return { code, said: stdout + stderr };
  };
  const plainAs =
    (token: string) =>
    (...argv: string[]) =>
      run(pulumi(argv, folder, { ...env, ...connected({ ...emulator, token }) }));
  const plain = plainAs(emulator.token);
  const ours = (command: string, ...argv: string[]) =>
    run(workspacectl([command, "--program", ".", "--stack", "dev", ...argv], folder, env));
  /** Expects that a run is refused with a text and changes nothing. */
  const refused = async (
    ended: Promise<{ code: number | undefined; said: string }>,
    text: string | RegExp,
  ) => {
    emulator.journal.clear();
    const { code, said } = await ended;
    expect(code, said).not.toBe(0);
    expect(said).toMatch(text);
    expect(emulator.journal.writes()).toEqual([]);
  };
  const succeed = async (ended: Promise<{ code: number | undefined; said: string }>) => {
    const { code, said } = await ended;
    expect(code, said).toBe(0);
    return said;
  };
  const api = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token: emulator.token });
  return { folder, emulator, api, declare, plain, plainAs, ours, refused, succeed };
}

/** JSON is YAML. */
function inYaml(objects: readonly Declared[]): string {
  const resolve = (value: unknown) =>
    typeof value === "object" && value !== null && "$id" in value ? `\${${String(value.$id)}.id}` : value;
  return JSON.stringify(
    Object.fromEntries(
      objects.map(({ type, name, args, protect }) => [
        name,
        {
          type: `workspace-automation:index:${type}`,
          properties: Object.fromEntries(Object.entries(args).map(([arg, value]) => [arg, resolve(value)])),
          ...(protect ? { options: { protect } } : {}),
        },
      ]),
    ),
  );
}

const web = { type: "Project", name: "web", args: { name: "web" } };
const level = {
  type: "Variable",
  name: "level",
  args: { project: { $id: "web" }, key: "LEVEL", value: "1" },
};
const qa = { type: "Group", name: "qa", args: { name: "QA" }, protect: true };
const person = (name: string, admin: boolean) => ({
  type: "WorkspaceMember",
  name,
  args: { email: `${name}@example.com`, admin },
});
const all: readonly Declared[] = [web, level, qa, person("ann", true), person("bob", true)];
const without = (...names: string[]) => all.filter(({ name }) => !names.includes(name));

describe.each(Object.entries(languages))("a program in %s", (_name, language) => {
  const missing = language.host === undefined ? undefined : noGo;

  it("keeps under plain pulumi what docs/guards.md says", async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const { folder, emulator, api, declare, plain, plainAs, refused, succeed } = await setUp(language);
    const groups = async () => (await api.groups.list("acme").toArray()).map(({ name }) => name);
    const projects = async () => (await api.projects.list("acme").toArray()).map(({ name }) => name);
    const up = ["up", "--yes", "--skip-preview"];
    declare(all);
    await succeed(plain("stack", "init", "dev"));
    await succeed(plain(...up));

    // project-deletion
    const isKept = /in project "web" is not deleted|project "web" is protected|protected/;
    declare(without("web", "level"));
    await refused(plain(...up), isKept);
    await plain("preview", "--save-plan", "plan.json");
    if (existsSync(join(folder, "plan.json")))
      await refused(plain("up", "--yes", "--skip-preview", "--plan", "plan.json"), isKept);
    await emulator.edit({
      method: "PATCH",
      path: "/workspaces/acme/projects/web",
      body: { display_name: "Changed by hand" },
    });
    await succeed(plain("refresh", "--yes"));
    await refused(plain(...up), isKept);
    await refused(plain(...up, "--refresh"), isKept);

    // protected-object, own-access, minimum-admins
    declare(without("qa"));
    await refused(plain(...up), /protect/);
    declare([...without("ann"), person("ann", false)]);
    const ann = await emulator.createToken({ user: "ann@example.com" });
    await refused(plainAs(ann)(...up), "nobody can remove their own administrator right");
    declare(without("ann"));
    await succeed(plainAs(ann)(...up));
    const members = await api.members.list("acme").toArray();
    const whole = await Promise.all(members.map(({ id }) => api.members.get("acme", id)));
    expect(whole.find(({ email }) => email === "ann@example.com")).toMatchObject({ admin: true });

    // "no": nothing counts deletions or asks who remains.
    declare(without("ann", "bob"));
    await succeed(plain(...up));

    expect((await plain("destroy", "--yes", "--skip-preview")).code).not.toBe(0);
    expect(await projects()).toEqual(["web"]);
    expect(await groups()).toEqual(["QA"]);
    declare([
      { ...web, args: { ...web.args, deletionProtection: false } },
      { ...qa, protect: false },
    ]);
    await succeed(plain(...up));
    await succeed(plain("destroy", "--yes", "--skip-preview"));
    expect([await projects(), await groups()]).toEqual([[], []]);
  });

  it("is guarded by workspacectl --program, also with a saved plan", async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const { declare, ours, refused, succeed } = await setUp(language);
    declare(all);
    await succeed(ours("up", "--create-stack", "--yes"));
    expect(await succeed(ours("preview"))).toContain("No changes");
    expect(await succeed(ours("drift"))).toContain("No drift");

    declare(without("web", "level"));
    await refused(ours("up", "--yes"), /project-deletion/);
    const { code, said } = await ours("preview", "--format", "markdown", "--strict-guards");
    expect(code, said).not.toBe(0);
    expect(said).toContain("--delete-project web");
    expect(said).not.toMatch(/in the file|workspace file/);

    declare([...without("level"), { ...level, args: { ...level.args, value: "2" } }]);
    await succeed(ours("preview", "--save-plan", "plan.json"));
    declare([...without("level"), { ...level, args: { ...level.args, value: "3" } }]);
    await refused(ours("up", "--yes", "--plan", "plan.json"), /plan/);
    declare([...without("level"), { ...level, args: { ...level.args, value: "2" } }]);
    await succeed(ours("up", "--yes", "--plan", "plan.json"));

    declare(without("web", "level"));
    await succeed(ours("up", "--yes", "--delete-project", "web", "--ignore-guard", "max-delete-share"));
    expect(await succeed(ours("preview"))).toContain("No changes");
  });
});
