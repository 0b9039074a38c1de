/** What can be compared, how it is named, and what is said where a name means nothing or two things. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator } from "../../../../emulator/index.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { regions, told, type Regions } from "./support.js";

const folder = temporaryFolder();
const SHOP = `groups: { QA: { description: Testers } }
variables: { REGION: us-east, HOST: shop.example.com }
projects: { web: {} }
`;
const file = fileIn(folder, "workspace.yaml", `version: 1\n${SHOP}`);
const overlay = fileIn(folder, "workspace.eu.yaml", "version: 1\nvariables: { REGION: eu-west }\n");
let both: Regions;

beforeAll(async () => {
  both = await regions(SHOP, SHOP.replace("us-east", "eu-west"), {}, startEmulator);
});
afterAll(async () => {
  await Promise.all([both.us, both.eu].map((emulator) => emulator.close()));
});

describe("a side", () => {
  it("can be a workspace file, which agrees with the region that it was applied to", async () => {
    expect(await both.report(file, "us")).toMatchObject({ code: 0, findings: [] });
    expect(await both.report("us", `file:${file}`)).toMatchObject({ code: 0, left: { kind: "connection" } });
  });

  it("can be a file with its overlays, told apart from the file alone", async () => {
    expect(told(await both.report(file, "eu"))).toEqual([
      'changed variables/REGION value: "us-east" "eu-west"',
    ]);
    const found = await both.report(`${file}+${overlay}`, "eu");
    expect(found).toMatchObject({ code: 0, left: { kind: "file", file, overlays: [overlay] } });
    expect(told(await both.report(file, `${file}+${overlay}`))).toEqual([
      'changed variables/REGION value: "us-east" "eu-west"',
    ]);
  });

  it("can be a folder, a module or the standard input", async () => {
    const split = join(folder, "split");
    mkdirSync(split);
    fileIn(
      split,
      "workspace.yaml",
      "version: 1\ngroups: { QA: { description: Testers } }\nprojects: { web: {} }\n",
    );
    fileIn(split, "variables.yaml", "version: 1\nvariables: { REGION: us-east, HOST: shop.example.com }\n");
    expect(await both.report(split, file)).toMatchObject({ code: 0, findings: [] });
    const module = fileIn(
      folder,
      "workspace.ts",
      `export default { version: 1, groups: { QA: { description: "Testers" } }, projects: { web: {} },
         variables: { REGION: "us-east", HOST: "shop.example.com" } };\n`,
    );
    expect(await both.report(module, "us")).toMatchObject({ code: 0, findings: [] });
    expect((await both.compares("-", "file:-")).stderr).toContain("the standard input can be one side only");
  });

  it("finds what is wrong with a file before it asks anybody", async () => {
    const wrong = fileIn(folder, "wrong.yaml", "version: 1\ngroup: {}\n");
    both.us.journal.clear();
    const { code, stderr } = await both.compares(wrong, "us");
    expect(code).toBe(1);
    expect(stderr).toContain('wrong.yaml:2:1: unknown property "group"');
    expect(both.us.journal.requests).toEqual([]);
  });

  it("is the entry that it is really called, whatever key a file gives it", async () => {
    const keyed = fileIn(
      folder,
      "keyed.yaml",
      `version: 1\n${SHOP.replace("QA: { description", "testers: { name: QA, description")}`,
    );
    expect(await both.report(keyed, "us")).toMatchObject({ code: 0, findings: [] });
  });

  it("says where in a file a difference is written, or would be", async () => {
    const other = fileIn(
      folder,
      "other.yaml",
      "version: 1\ngroups:\n  QA:\n    description: Checkers\n  Ops: {}\nvariables:\n  REGION: us-east\nprojects: { web: {} }\n",
    );
    const { findings } = await both.report(other, "us");
    const at = findings.map(({ class: of, name, places }) => [
      of,
      name,
      places?.left?.line,
      places?.left?.column,
    ]);
    expect(at).toEqual([
      ["missing", "groups/Ops", 5, 3],
      ["added", "variables/HOST", 6, 1],
      ["changed", "groups/QA", 4, 18],
    ]);
  });
});

describe("values that a file does not have", () => {
  const placeholder = fileIn(
    folder,
    "placeholder.yaml",
    `version: 1\n${SHOP.replace("us-east", '"${env:REGION}"').replace("Testers", '"${config:testers}"')}`,
  );

  it("are not known while no variable of the environment says them, nor the stack's configuration", async () => {
    const { findings, code } = await both.report(placeholder, "us");
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      {
        class: "unverifiable",
        name: "groups/QA",
        path: "description",
        note: "${config:testers} has no value here",
      },
      {
        class: "unverifiable",
        name: "variables/REGION",
        path: "value",
        right: "us-east",
        notKnown: ["left"],
      },
    ]);
  });

  it("are compared when a variable says them", async () => {
    const { person } = both;
    person.env["REGION"] = "eu-west";
    const found = await both.report(placeholder, "us");
    delete person.env["REGION"];
    expect(told(found)[0]).toBe('changed variables/REGION value: "eu-west" "us-east"');
  });

  it("are not asked of what is managed elsewhere", async () => {
    const external = fileIn(
      folder,
      "external.yaml",
      `version: 1\n${SHOP.replace("{ description: Testers }", "{ external: true }")}`,
    );
    expect(await both.report(external, "us")).toMatchObject({ code: 0, findings: [] });
  });

  it("cannot be told of files in a repository, of which the service has no list", async () => {
    const files = fileIn(
      folder,
      "files.yaml",
      `version: 1\n${SHOP.replace("web: {}", 'web: { files: { README.md: "# Web" } }')}`,
    );
    expect((await both.report(files, "us")).findings).toMatchObject([
      {
        class: "unverifiable",
        name: "projects/web/files/README.md",
        note: "nobody can list each file in us",
      },
    ]);
  });
});

describe("a name", () => {
  it("is looked for as a file, a connection and a stack, and the message says so", async () => {
    const { code, stderr } = await both.compares("us", "asia");
    expect(code).toBe(1);
    expect(stderr).toContain('"asia" is neither a file (looked in');
    expect(stderr).toContain("nor a connection");
    expect(stderr).toContain("nor a stack");
  });

  it("that means two things has to be made certain", async () => {
    const { person } = both;
    const name = file.toUpperCase().replace(/[^A-Z0-9]/g, "_");
    person.env[`WORKSPACE_AUTOMATION_${name}_TOKEN`] = "x";
    const { stderr } = await both.compares(file, "us");
    delete person.env[`WORKSPACE_AUTOMATION_${name}_TOKEN`];
    expect(stderr).toContain(`could be the file or the connection: say file:${file} or connection:${file}`);
  });

  it.each([
    [["file:none.yaml", "us"], "there is no file none.yaml"],
    [[`${file}+none.yaml`, "us"], "there is no file none.yaml"],
    [["connection:asia", "us"], "no base address of the Workspace Automation Service is known"],
    [["stack:", "us"], "a stack is named stack:NAME, or stack:NAME@FILE"],
    [["stack:dev@/nowhere/workspace.yaml", "us"], "the project of /nowhere/workspace.yaml has none"],
  ])("is told with what is wrong: %j", async (argv, message) => {
    const { code, stderr } = await both.compares(...argv);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it("can say another workspace of the same connection", async () => {
    const { code, incomplete } = await both.report("us", "connection:us/umbrella");
    expect(code).toBe(10);
    expect(incomplete[0]?.reason).toContain("/workspaces/umbrella/");
    expect(await both.report("us", "connection:us/acme-us")).toMatchObject({
      code: 0,
      right: { name: "us/acme-us" },
    });
  });
});
