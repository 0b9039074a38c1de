/** Tests `init`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runMain } from "../../../cli/program.js";
import { emulated, Person, personAt } from "../service-support.js";
import { fileIn, run, temporaryFolder, testIo } from "../support.js";

const read = (folder: string, name = "workspace.yaml") => readFileSync(join(folder, name), "utf8");

/** Checks that a file is valid, formatted and free of lint findings. */
async function isGoodBeginning(folder: string): Promise<void> {
  const file = join(folder, "workspace.yaml");
  for (const argv of [
    ["validate", "-f", file],
    ["lint", "-f", file],
    ["fmt", "--check", file],
  ]) {
    const { code, stdout, stderr } = await run(argv);
    expect({ argv, code, stdout, stderr }).toMatchObject({ argv, code: 0 });
    expect(stdout + stderr).not.toMatch(/warning:|info:/);
  }
}

describe("init with flags", () => {
  it("names the project of a folder of digits by a text, which Pulumi requires", async () => {
    const folder = join(temporaryFolder(), "2026");
    const { code } = await run(["init", folder, "--yes", "--backend", "file:///var/state"], {
      PULUMI_HOME: temporaryFolder(),
    });
    expect(code).toBe(0);
    expect(parse(read(folder, "Pulumi.yaml"))).toMatchObject({ name: "2026" });
  });

  it("writes a valid file and a .gitignore, and prints the next steps", async () => {
    const folder = join(temporaryFolder(), "infra");
    const flags = [
      "--workspace",
      "acme",
      "--connection",
      "us",
      "--project",
      "web",
      "--member",
      "bob@example.com",
    ];
    const { code, stdout, stderr } = await run([
      "init",
      folder,
      ...flags,
      "--admin",
      "ann@example.com",
      "--yes",
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readdirSync(folder).sort()).toEqual([".gitignore", "workspace.yaml"]);
    expect(stdout).toContain(join(folder, "workspace.yaml"));
    expect(read(folder)).toMatch(
      /^# yaml-language-server: \$schema=\.\/node_modules\/pulumi-workspace-automation\/schema\/workspace\.schema\.json\n/,
    );
    expect(stderr).toContain("State: in .pulumi-state/ next to the file");
    expect(stderr).toContain('"workspacectl schema -o FILE"');
    expect(parse(read(folder))).toEqual({
      version: 1,
      workspace: "acme",
      connection: "us",
      members: { "ann@example.com": { admin: true }, "bob@example.com": {} },
      projects: { web: { displayName: "web" } },
    });
    for (const step of [
      `cd ${folder}`,
      "workspacectl login --connection us --base-url",
      "workspacectl preview",
    ])
      expect(stderr).toContain(`  ${step}`);
    await isGoodBeginning(folder);
  });

  it.each([
    ["nothing at all", []],
    ["only members", ["--member", "ann@example.com"]],
    ["names that need quotes", ["--project", "a: #b", "--project", "1", "--workspace", "yes"]],
    ["a Pulumi project", ["--pulumi", "--workspace", "Acme & Co"]],
  ])("writes a valid file with %s", async (_what, flags) => {
    const folder = temporaryFolder();
    expect(await run(["init", folder, "--yes", ...flags])).toMatchObject({ code: 0 });
    await isGoodBeginning(folder);
  });

  it("writes an example pipeline as a comment that is valid when uncommented", async () => {
    const folder = temporaryFolder();
    await run(["init", folder, "--yes", "--project", "web"]);
    const uncommented = read(folder).replace(/^ {4}# /gm, "    ");
    const file = fileIn(folder, "uncommented.yaml", uncommented);
    expect((await run(["validate", "-f", file])).stdout).toContain("1 project, 1 pipeline, 1 action");
  });

  it("writes a Pulumi project around the file on request", async () => {
    const folder = temporaryFolder();
    const { stderr } = await run(["init", folder, "--yes", "--pulumi", "--workspace", "acme"]);
    expect(parse(read(folder, "Pulumi.yaml"))).toMatchObject({ name: "acme", runtime: "nodejs" });
    expect(JSON.parse(read(folder, "package.json"))).toMatchObject({
      type: "module",
      main: "index.js",
      dependencies: { "@pulumi/pulumi": expect.any(String) as string },
    });
    expect(read(folder, "index.js")).toContain('loadWorkspace("workspace.yaml")');
    expect(stderr).toContain("  npm install\n");
  });

  it("writes the address of the backend to Pulumi.yaml", async () => {
    const folder = temporaryFolder();
    const argv = ["init", folder, "--yes", "--workspace", "acme"];
    const { code, stderr } = await run([...argv, "--backend", "s3://states/acme"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("State: s3://states/acme");
    expect(parse(read(folder, "Pulumi.yaml"))).toMatchObject({ backend: { url: "s3://states/acme" } });
    expect(existsSync(join(folder, "package.json"))).toBe(false);
    const { code: local } = await run([...argv, "--backend", "local", "--force"]);
    expect(local).toBe(0);
    const refused = await run(["init", temporaryFolder(), "--yes", "--backend", "bucket"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--backend bucket is not the address of a state");
  });

  it("overwrites nothing without --force, and never an existing .gitignore", async () => {
    const folder = temporaryFolder();
    fileIn(folder, "workspace.yaml", "mine\n");
    fileIn(folder, ".gitignore", "mine\n");
    const refused = await run(["init", folder, "--yes", "--workspace", "acme"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("workspace.yaml already exists, and nothing was written");
    expect(read(folder)).toBe("mine\n");
    expect((await run(["init", folder, "--yes", "--workspace", "acme", "--force"])).code).toBe(0);
    expect(read(folder)).toContain("workspace: acme");
    expect(read(folder, ".gitignore")).toBe("mine\n");
  });

  it("writes nothing if the value of a flag is invalid", async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await run(["init", folder, "--yes", "--member", "nobody"]);
    expect(code).toBe(1);
    expect(stderr).toContain("email");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("names --yes if there is no terminal", async () => {
    const { code, stderr } = await run(["init", temporaryFolder()]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no terminal to ask for the content of the file: add --yes");
  });
});

const seed = {
  users: [{ email: "owner@example.com", name: "Olga", tokens: [{}] }],
  workspaces: [
    { domain: "acme", projects: [{ name: "legacy" }, { name: "shop", display_name: "The shop" }] },
  ],
};

describe("init with a reachable service", () => {
  it.each([
    ["external", { legacy: { external: true }, shop: { external: true } }],
    ["adopt", { legacy: { adopt: true }, shop: { displayName: "The shop", adopt: true } }],
  ])("declares existing projects as %s", async (way, projects) => {
    const folder = temporaryFolder();
    const ann = personAt(await emulated({ seed }));
    const ran = await ann.types(["init", folder, "--yes", "--workspace", "acme", "--existing", way]);
    expect(ran).toMatchObject({ code: 0 });
    expect(parse(read(folder))).toEqual({ version: 1, workspace: "acme", projects });
    // The environment provides the address and the token.
    expect(ran.stderr).not.toContain("workspacectl login");
    await isGoodBeginning(folder);
  });

  it("rejects a new project with an existing name", async () => {
    const folder = temporaryFolder();
    const ann = personAt(await emulated({ seed }));
    const argv = [
      "init",
      folder,
      "--yes",
      "--workspace",
      "acme",
      "--existing",
      "external",
      "--project",
      "shop",
    ];
    const { code, stderr } = await ann.types(argv);
    expect(code).toBe(1);
    expect(stderr).toContain("project shop already exists in workspace acme");
  });

  it("continues without the service if it is unreachable", async () => {
    const folder = temporaryFolder();
    const gone = await emulated({ seed });
    const ann = personAt(gone);
    await gone.close();
    const ran = await ann.types(["init", folder, "--yes", "--workspace", "acme", "--existing", "adopt"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("the existing objects could not be read");
  });
});

const [enter, down, space, interrupt] = ["\r", "\x1b[B", " ", "\x03"];

/** Runs a command on a terminal, and types each answer, split at |, as soon as its question is shown. */
async function atTerminal(
  argv: readonly string[],
  person: Person,
  answers: readonly (readonly [string, string])[],
) {
  const { io, written } = testIo({ ...person.env });
  const left = [...answers];
  const look = () => {
    const [next] = left;
    if (next === undefined || !written().stderr.includes(next[0])) return;
    left.shift();
    for (const sign of next[1].split("|")) (io.stdin as unknown as NodeJS.WritableStream).write(sign);
  };
  const write = io.stderr.write.bind(io.stderr) as (text: string) => boolean;
  io.stderr.write = ((text: string) => {
    const done = write(text);
    setImmediate(look);
    return done;
  }) as typeof io.stderr.write;
  const code = await runMain(argv, { ...io, interactive: true });
  return { code, unasked: left.map(([question]) => question), ...written() };
}

describe("init with prompts", () => {
  it("asks for everything that no flag specifies, and shows existing projects", async () => {
    const folder = temporaryFolder();
    const ann = personAt(await emulated({ seed }));
    const ran = await atTerminal(["init", folder], ann, [
      ["Domain of the workspace", enter],
      ["Which existing projects", `${down}|${space}|${enter}`],
      ["What should the file do with them?", `${down}|${enter}`],
      ["Projects to create", `web, api|${enter}`],
      ["E-mail addresses", `ann@example.com|${enter}`],
      ["Which of them administer", `${space}|${enter}`],
      ["Create a Pulumi project", enter],
      ["Where should the state be stored?", `${down}|${enter}`],
      ["Address of the state", `s3://states/acme|${enter}`],
    ]);
    expect(ran).toMatchObject({ code: 0, unasked: [] });
    expect(parse(read(folder))).toEqual({
      version: 1,
      workspace: "acme",
      members: { "ann@example.com": { admin: true } },
      projects: {
        shop: { displayName: "The shop", adopt: true },
        web: { displayName: "web" },
        api: { displayName: "api" },
      },
    });
    expect(parse(read(folder, "Pulumi.yaml"))).toMatchObject({ backend: { url: "s3://states/acme" } });
    expect(existsSync(join(folder, "package.json"))).toBe(false);
    await isGoodBeginning(folder);
  });

  it("asks again for an empty domain, and for a project with a blank in its name", async () => {
    const folder = temporaryFolder();
    const ran = await atTerminal(["init", folder, "--member", "ann@example.com"], new Person(), [
      ["Domain of the workspace", enter],
      ["Enter the domain", `acme|${enter}`],
      ["Projects to create", `acme corp|${enter}`],
      ["contains a space: write acme-corp", `${"\u007f|".repeat(5)}-corp|${enter}`],
      ["Which of them administer", interrupt],
    ]);
    expect(ran).toMatchObject({ code: 130, unasked: [] });
    expect(existsSync(join(folder, "workspace.yaml"))).toBe(false);
  });

  it("writes nothing after Ctrl-C", async () => {
    const folder = temporaryFolder();
    const ran = await atTerminal(["init", folder], new Person(), [["Domain of the workspace", interrupt]]);
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain("nothing was written");
    expect(readdirSync(folder)).toEqual([]);
  });
});
