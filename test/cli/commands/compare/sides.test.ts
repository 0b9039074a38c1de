/** Tests what can be compared, how it is named, and the errors for unknown and ambiguous names. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator } from "../../../../emulator/index.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { type Regions, regions, told } from "./support.js";

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

describe("a source", () => {
  it("can be a workspace file, which equals the region that it was applied to", async () => {
    expect(await both.report(file, "us")).toMatchObject({ code: 0, findings: [] });
    expect(await both.report("us", `file:${file}`)).toMatchObject({ code: 0, left: { kind: "connection" } });
  });

  it("can be a file with overlays, distinct from the file alone", async () => {
    expect(told(await both.report(file, "eu"))).toEqual([
      'changed variables/REGION value: "us-east" "eu-west"',
    ]);
    const found = await both.report(`${file}+${overlay}`, "eu");
    expect(found).toMatchObject({ code: 0, left: { kind: "file", file, overlays: [overlay] } });
    expect(told(await both.report(file, `${file}+${overlay}`))).toEqual([
      'changed variables/REGION value: "us-east" "eu-west"',
    ]);
  });

  it("can be a folder, a module or standard input", async () => {
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
    expect((await both.compares("-", "file:-")).stderr).toContain(
      'both sides are "-", but standard input can be read only once',
    );
  });

  it("is checked for errors before any request if it is a file", async () => {
    const wrong = fileIn(folder, "wrong.yaml", "version: 1\ngroup: {}\n");
    both.us.journal.clear();
    const { code, stderr } = await both.compares(wrong, "us");
    expect(code).toBe(1);
    expect(stderr).toContain('wrong.yaml:2:1: unknown property "group"');
    expect(both.us.journal.requests).toEqual([]);
  });

  it("identifies an object by its name, whatever its key in the file", async () => {
    const keyed = fileIn(
      folder,
      "keyed.yaml",
      `version: 1\n${SHOP.replace("QA: { description", "testers: { name: QA, description")}`,
    );
    expect(await both.report(keyed, "us")).toMatchObject({ code: 0, findings: [] });
  });

  it("provides the location of a difference in a file, or the nearest one", async () => {
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

describe("values that a file does not contain", () => {
  const placeholder = fileIn(
    folder,
    "placeholder.yaml",
    `version: 1\n${SHOP.replace("us-east", '"${env:REGION}"').replace("Testers", '"${config:testers}"')}`,
  );

  it("are unverifiable if neither the environment nor the stack configuration provides them", async () => {
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

  it("are compared if an environment variable provides them", async () => {
    const { person } = both;
    person.env["WORKSPACE_VAR_REGION"] = "eu-west";
    const found = await both.report(placeholder, "us");
    delete person.env["WORKSPACE_VAR_REGION"];
    expect(told(found)[0]).toBe('changed variables/REGION value: "eu-west" "us-east"');
  });

  it("are not required for external objects", async () => {
    const external = fileIn(
      folder,
      "external.yaml",
      `version: 1\n${SHOP.replace("{ description: Testers }", "{ external: true }")}`,
    );
    expect(await both.report(external, "us")).toMatchObject({ code: 0, findings: [] });
  });

  it("are unverifiable for repository files, which the service cannot list", async () => {
    const files = fileIn(
      folder,
      "files.yaml",
      `version: 1\n${SHOP.replace("web: {}", 'web: { files: { README.md: "# Web" } }')}`,
    );
    expect((await both.report(files, "us")).findings).toMatchObject([
      {
        class: "unverifiable",
        name: "projects/web/files/README.md",
        note: "the service does not list every file in us",
      },
    ]);
  });
});

describe("the name of a source", () => {
  it("is looked up as a file, a connection and a stack, which the error lists", async () => {
    const { code, stderr } = await both.compares("us", "asia");
    expect(code).toBe(1);
    expect(stderr).toContain('"asia" is neither a file (looked in');
    expect(stderr).toContain("nor a connection");
    expect(stderr).toContain("nor a stack");
  });

  it("must be qualified if it is ambiguous", async () => {
    const { person } = both;
    const name = file.toUpperCase().replace(/[^A-Z0-9]/g, "_");
    person.env[`WORKSPACE_AUTOMATION_${name}_TOKEN`] = "x";
    const { stderr } = await both.compares(file, "us");
    delete person.env[`WORKSPACE_AUTOMATION_${name}_TOKEN`];
    expect(stderr).toContain(`could be the file or the connection: write file:${file} or connection:${file}`);
  });

  it.each([
    [["file:none.yaml", "us"], "there is no file none.yaml"],
    [[`${file}+none.yaml`, "us"], "there is no file none.yaml"],
    [["connection:asia", "us"], "no base address for connection asia is set"],
    [["stack:", "us"], '"stack:" contains no name of a stack: write stack:NAME, or stack:NAME@FILE'],
    [["stack:dev@/nowhere/workspace.yaml", "us"], "/nowhere/workspace.yaml has no stack yet"],
  ])("is rejected with the reason: %j", async (argv, message) => {
    const { code, stderr } = await both.compares(...argv);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it("can select another workspace of the same connection", async () => {
    const { code, incomplete } = await both.report("us", "connection:us/umbrella");
    expect(code).toBe(10);
    expect(incomplete[0]?.reason).toContain("/workspaces/umbrella/");
    expect(await both.report("us", "connection:us/acme-us")).toMatchObject({
      code: 0,
      right: { name: "us/acme-us" },
    });
  });
});
