/**
 * Tests members whose e-mail addresses the service hides: a file provides them, and the export declares the members.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../emulator/index.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { emulated, personAt } from "../../cli/service-support.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const seed = {
  users: [
    { email: "olga@example.com", name: "Olga" },
    { email: "bob@example.com", name: "Bob" },
    { email: "carla@example.com", name: "Carla" },
  ],
  workspaces: [
    {
      domain: "acme",
      members: [{ email: "bob@example.com" }, { email: "carla@example.com", admin: true }],
      groups: [{ name: "QA", members: ["bob@example.com", "olga@example.com"] }],
      permission_sets: [
        {
          name: "ops",
          description: "Ops",
          repository_access_level: "READ_ONLY",
          pipeline_access_level: "RUN_ONLY",
        },
      ],
      projects: [{ name: "web", members: [{ email: "bob@example.com", permission_set: "ops" }] }],
    },
  ],
};

const asks = (text: string) => /^ {2}(\d+):(.*)$/gm[Symbol.matchAll](text);
/** Returns the requested numbers by the name next to each. */
const numbers = (text: string) =>
  new Map([...asks(text)].map(([, id, name]) => [name?.replace(" # ", ""), Number(id)]));

const exporting = (emulator: Emulator, ...options: string[]) =>
  personAt(emulator).types(["export", ...options]);

describe("export --people", () => {
  it("requests the addresses that the service hides, and declares those that are provided", async () => {
    const emulator = await emulated({ seed });
    const people = join(temporaryFolder(), "people.yaml");

    const first = await exporting(emulator, "--people", people);
    expect(first).toMatchObject({ code: 10 });
    expect(first.stderr).toContain(`Fill in the addresses of 2 members in ${people}`);
    const asked = readFileSync(people, "utf8");
    expect([...numbers(asked).keys()]).toEqual(["Bob", "Carla"]);

    const bob = numbers(asked).get("Bob");
    fileIn(
      join(people, ".."),
      "people.yaml",
      asked.replace(/(\d+): # Bob/, "$1: bob@example.com # the tester"),
    );
    const second = await exporting(emulator, "--people", people);
    expect(second).toMatchObject({ code: 10 });
    expect(second.stderr).toContain("Fill in the addresses of 1 members");
    expect(second.stdout).toContain(`bob@example.com:\n    member: ${bob}\n`);
    expect(second.stdout).toContain("bob@example.com: ops");
    expect(readFileSync(people, "utf8")).toContain("bob@example.com # the tester");

    const { declarations } = readDeclarations("-", { env: {}, stdin: () => second.stdout });
    expect(declarations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["members/bob@example.com", "projects/web/members/bob@example.com"]),
    );
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("replaces the numbers in the file of the first export", async () => {
    const held = structuredClone(seed);
    held.workspaces[0]!.groups.push({ name: "Leads", members: ["bob@example.com"] });
    const emulator = await emulated({ seed: held });
    const folder = temporaryFolder();
    const [people, file] = [join(folder, "people.yaml"), join(folder, "workspace.yaml")];
    const argv = ["-o", file, "--people", people];
    const first = await exporting(emulator, ...argv);
    expect(first.stderr).toContain(
      `Fill in the addresses of 2 members in ${people}, and run "workspacectl export -o ${file} --people ${people}"\n`,
    );
    const asked = readFileSync(people, "utf8");
    const bob = numbers(asked).get("Bob");
    expect(readFileSync(file, "utf8")).toContain(`- ${bob}\n`);
    // The author has since made one of the lists exclusive and added a comment.
    const text = readFileSync(file, "utf8").replace("  Leads:\n", "  Leads:\n    exclusive: true\n");
    fileIn(folder, "workspace.yaml", `# ours\n${text}`);
    fileIn(folder, "people.yaml", asked.replace(/(\d+): # Bob/, "$1: bob@example.com"));

    const second = await exporting(emulator, ...argv);
    expect(second).toMatchObject({ code: 10 });
    const now = readFileSync(file, "utf8");
    expect(now).toMatch(/^# ours\n/);
    expect(now).toContain(`  bob@example.com: { member: ${bob} }\n`);
    expect(now.match(/- bob@example.com\n/g)).toHaveLength(2);
    expect(now).toMatch(/bob@example.com: (ops|\{ permissionSet: ops \})\n/);
    expect(now.match(new RegExp(`^.*\\b${bob}\\b.*$`, "gm"))).toHaveLength(1);
    // An unresolved number remains, and a third export changes nothing.
    await exporting(emulator, ...argv);
    expect(readFileSync(file, "utf8")).toBe(now);
  });

  it("names the flag that is required to export a program again", async () => {
    const emulator = await emulated({ seed });
    const folder = temporaryFolder();
    const people = join(folder, "people.yaml");
    const argv = ["--language", "typescript", "-o", join(folder, "program"), "--people", people];
    const { stderr } = await exporting(emulator, ...argv);
    expect(stderr).toContain(
      `Fill in the addresses of 2 members in ${people}, and export again with --force\n`,
    );
    const again = await exporting(emulator, ...argv, "--force");
    expect(again).toMatchObject({ code: 10 });
  });

  it("omits the owner, and refers to people by number if members are not exported", async () => {
    const emulator = await emulated({ seed });
    const people = join(temporaryFolder(), "people.yaml");
    await exporting(emulator, "--people", people);
    const given = readFileSync(people, "utf8").replace(/(\d+): # Bob/, "$1: bob@example.com");
    const bob = [...given.matchAll(/(\d+): bob/g)][0]?.[1];
    const file = fileIn(join(people, ".."), "people.yaml", `${given}  1: olga@example.com\n`);

    const { stdout: whole } = await exporting(emulator, "--people", file);
    expect(whole).toMatch(/QA:\n\s+members:\n\s+- bob@example.com\n/);
    expect(whole).not.toContain("olga@example.com");
    const { stdout: projects } = await exporting(
      emulator,
      "--people",
      file,
      "--kinds",
      "projects,ProjectMember",
    );
    expect(projects).toContain(`member: ${bob}`);
    expect(projects).not.toContain("bob@example.com");
  });

  it("locates an error in the file, and requests nothing if addresses are shown", async () => {
    const hiding = await emulated({ seed });
    const file = fileIn(temporaryFolder(), "people.yaml", "version: 1\nmembers: { 4: bob }\n");
    const { code, stderr } = await exporting(hiding, "--people", file);
    expect(code).toBe(1);
    expect(stderr).toContain('people.yaml:2:15: members["4"]: must be an e-mail address, or left empty');
    const { stderr: hint } = await exporting(hiding);
    expect(hint).toContain("export with --people people.yaml");

    const showing = await emulated({ seed, echoMemberEmail: true });
    const people = join(temporaryFolder(), "people.yaml");
    expect(await exporting(showing, "--people", people)).toMatchObject({ code: 0 });
    expect(existsSync(people)).toBe(false);
  });
});
