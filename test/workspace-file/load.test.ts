/**
 * Tests that a workspace file becomes declarations, or that all its errors are reported at once with their
 * locations.
 */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { escapePlaceholders } from "../../workspace-file/compose/placeholders.js";
import { parseYaml } from "../../workspace-file/index.js";
import { readDeclarations, Ref, WorkspaceFileError } from "../../workspace-file/load/load.js";

const env = { WORKSPACE_VAR_API_KEY: "key-value" };

function write(text: string, others: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "workspace-file-"));
  for (const [name, content] of Object.entries(others)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const file = join(folder, "workspace.yaml");
  writeFileSync(file, text);
  return file;
}

function read(text: string, others: Record<string, string> = {}) {
  return readDeclarations(write(text, others), { env });
}

/** Returns the error message for a file, without its folder. */
function complaint(text: string, others: Record<string, string> = {}): string {
  const file = write(text, others);
  try {
    readDeclarations(file, { env });
  } catch (error) {
    if (error instanceof WorkspaceFileError)
      return error.message.replaceAll(`${dirname(file)}/`, "").replaceAll(dirname(file), ".");
    throw error;
  }
  return "nothing is wrong";
}

function argsOf(declared: ReturnType<typeof read>, name: string): Record<string, unknown> {
  const declaration = declared.declarations.find((d) => d.name === name);
  if (!declaration) throw new Error(`${name} is not declared`);
  return { ...declaration.args };
}

describe("the sample file", () => {
  const declared = readDeclarations(join(import.meta.dirname, "sample.yaml"), { env });

  it("declares each object under its path, in dependency order", () => {
    expect(declared.declarations.map((d) => d.name)).toEqual([
      "members/ann@example.com",
      "members/bob@example.com",
      "permissionSets/release-engineers",
      "groups/QA",
      "groups/QA/members/bob@example.com",
      "projects/web",
      "projects/web/members/ann@example.com",
      "projects/web/members/bob@example.com",
      "projects/web/pipelines/deploy",
      "projects/web/pipelines/deploy/actions/Build",
      "projects/web/pipelines/deploy/actions/Build/variables/CI",
      "projects/web/pipelines/deploy/actions/Tell",
      "projects/web/pipelines/deploy/variables/TIER",
      "projects/web/variables/NODE_ENV",
      "projects/legacy/pipelines/nightly",
      "variables/REGION",
      "variables/API_KEY",
      "projects/web/pipelines/deploy/actionOrder",
    ]);
  });

  it("has references to declared objects, and names of external ones", () => {
    const member = argsOf(declared, "projects/web/members/ann@example.com");
    expect(member["permissionSet"]).toEqual(new Ref("permissionSets/release-engineers"));
    expect(argsOf(declared, "projects/web/members/bob@example.com")["permissionSet"]).toBe("read-only");
    expect(argsOf(declared, "projects/legacy/pipelines/nightly")["project"]).toBe("legacy");
  });

  it("fills in placeholders from the environment and from files", () => {
    expect(argsOf(declared, "variables/API_KEY")).toMatchObject({ value: "key-value", encrypted: true });
    expect(argsOf(declared, "projects/web/pipelines/deploy/actions/Tell")["content"]).toBe("Build failed\n");
  });

  it("creates actions one after the other, and has a resource for their order", () => {
    const tell = declared.declarations.find((d) => d.name.endsWith("actions/Tell"));
    expect(tell?.after).toBe("projects/web/pipelines/deploy/actions/Build");
    expect(argsOf(declared, "projects/web/pipelines/deploy/actionOrder")["actions"]).toEqual([
      new Ref("projects/web/pipelines/deploy/actions/Build"),
      new Ref("projects/web/pipelines/deploy/actions/Tell"),
    ]);
  });
});

describe("names", () => {
  it("listed under previously become aliases of the object and of its contents", () => {
    const declared = read(`version: 1
projects:
  shop:
    previously: [web]
    pipelines:
      release: { previously: [deploy], triggerMode: MANUAL, refName: main }
`);
    const pipeline = declared.declarations.find((d) => d.name === "projects/shop/pipelines/release");
    expect(pipeline?.formerNames).toEqual([
      "projects/shop/pipelines/deploy",
      "projects/web/pipelines/release",
      "projects/web/pipelines/deploy",
    ]);
  });

  it("may differ from the key, which remains the identity", () => {
    const declared = read("version: 1\ngroups: { QA: { name: Quality } }\n");
    expect(argsOf(declared, "groups/QA")["name"]).toBe("Quality");
  });

  it("with a slash are one segment of the path", () => {
    expect(read("version: 1\ngroups: { A/B: {} }\n").declarations[0]?.name).toBe("groups/A%2FB");
  });

  it("of actions are their keys unless keys are given, which must be unique", () => {
    const actions = (second: string) => `version: 1
projects:
  web:
    pipelines:
      p:
        triggerMode: MANUAL
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a }
          - { ${second}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: b }
`;
    expect(complaint(actions("name: Ping"))).toContain('workspace.yaml:10:13: "Ping" is declared twice');
    expect(complaint(actions("key: second, name: Ping"))).toBe("nothing is wrong");
    expect(complaint(actions("key: Ping, name: Pong"))).toContain('"Ping" is declared twice');
    expect(complaint(actions("key: second, name: Pong"))).toBe("nothing is wrong");
  });
});

describe("adopt", () => {
  it("applies to the whole file, and can be disabled for an entry", () => {
    const declared = read("version: 1\nadopt: true\ngroups: { QA: {}, Ops: { adopt: false } }\n");
    expect(argsOf(declared, "groups/QA")["adopt"]).toBe(true);
    expect(argsOf(declared, "groups/Ops")["adopt"]).toBe(false);
  });
});

describe("external objects", () => {
  it("may contain managed objects, which refer to them by name", () => {
    const declared = read(`version: 1
projects:
  legacy:
    external: true
    pipelines:
      nightly: { external: true, variables: { TIER: "1" } }
`);
    expect(declared.declarations.map((d) => d.name)).toEqual([
      "projects/legacy/pipelines/nightly/variables/TIER",
    ]);
    expect(argsOf(declared, "projects/legacy/pipelines/nightly/variables/TIER")).toEqual({
      key: "TIER",
      value: "1",
      project: "legacy",
      pipeline: "nightly",
    });
  });

  it("accept no arguments, since they are not managed", () => {
    expect(complaint("version: 1\ngroups: { QA: { external: true, description: x } }\n")).toContain(
      'this group is external, so this file does not manage it and cannot set "description": remove "description", or remove "external"',
    );
  });
});

describe("all errors are reported at once, with file and line", () => {
  it("for unknown keys, wrong values, missing values and unknown names", () => {
    expect(
      complaint(`version: 1
wrkspace: acme
members:
  ann@example.com: { admin: perhaps }
groups:
  QA: { members: [anne@example.com] }
projects:
  web:
    dsplayName: Web
    members:
      ann@example.com: { permissionSet: releaser }
    pipelines:
      deploy:
        triggerMode: ON_EVERY_PUHS
        variables: { TIER: 1 }
        actions:
          - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, executeCommands: npm }
          - { type: PING }
permissionSets:
  releasers: { description: x, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN }
`),
    ).toMatchSnapshot();
  });

  it("for two entries with the same name", () => {
    expect(complaint("version: 1\ngroups:\n  QA: {}\n  Testers: { name: QA }\n")).toContain(
      "workspace.yaml:4:3: groups/Testers names the same group as groups/QA: rename or remove one of them",
    );
  });

  it.each([
    ["no YAML", "version: 1\ngroups: [}\n"],
    ["a key twice", "version: 1\ngroups: {}\ngroups: {}\n"],
    ["a list at the top", "- version: 1\n"],
    ["nothing", ""],
    ["no version", "workspace: acme\n"],
    ["another version", "version: 2\n"],
    ["a section of the wrong form", "version: 1\ngroups: [QA]\nprojects: web\n"],
    ["an unset variable", 'version: 1\nvariables: { KEY: "${env:NOT_SET}" }\n'],
    ["a placeholder nobody knows", 'version: 1\nvariables: { KEY: "${vault:KEY}" }\n'],
    ["a file that is not there", 'version: 1\nvariables: { KEY: "${file:nothing.txt}" }\n'],
    ["a file outside the folder", 'version: 1\nvariables: { KEY: "${file:../../../../../../etc/passwd}" }\n'],
  ])("for %s", (_what, text) => {
    expect(complaint(text)).toMatchSnapshot();
  });

  it("for a file outside the folder behind a symbolic link", () => {
    const file = write('version: 1\nvariables: { KEY: "${file:link.txt}" }\n');
    symlinkSync("/etc/hostname", join(dirname(file), "link.txt"));
    expect(() => readDeclarations(file, { env })).toThrow(/outside the folder of the workspace file/);
  });

  // A comparison of each key with all others would take four minutes.
  it("for the only mistake in a map of 100,000 entries", { timeout: 600_000 }, () => {
    const groups = Array.from({ length: 100_000 }, (_, index) => `  g${index}: {}\n`).join("");
    expect(parseYaml("a.yaml", `groups:\n${groups}  g7: {}\n`).problems).toMatchObject([
      { code: "duplicate-key", place: { line: 100_002, column: 3 } },
    ]);
  });

  it("for a key or a merge key that occurs twice", () => {
    expect(complaint("version: 1\ngroups: { A: {}, B: {}, A: {} }\n")).toContain("2:25: duplicate key");
    expect(complaint("version: 1\nx-a: &a {}\ngroups: { <<: *a, <<: *a }\n")).toContain(
      "3:19: duplicate key",
    );
  });

  it("for aliases that would exhaust the memory", () => {
    const bomb = ["version: 1", "x-a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh"].map((pair) => [...pair])) {
      bomb.push(`x-${to}: &${to} [${Array<string>(9).fill(`*${from}`).join(",")}]`);
    }
    expect(complaint(bomb.join("\n"))).toContain("aliases expand to more than 300000 parts");
  });

  it("for a file of ten megabytes", () => {
    expect(complaint(`version: 1\n# ${"x".repeat(10 * 1024 * 1024)}\n`)).toContain(
      "the file has 10.0 MB, more than the 2.0 MB a workspace file may have",
    );
  });

  it("without the value of a secret", () => {
    const text = 'version: 1\nvariables: { KEY: { value: "${env:API_KEY}", encrypted: "${env:API_KEY}" } }\n';
    expect(complaint(text)).toContain("encrypted: must be true or false");
    expect(complaint(text)).not.toContain("key-value");
  });

  it("up to a limit of fifty", () => {
    const groups = Array.from({ length: 80 }, (_, i) => `  g${i}: { nmae: x }`).join("\n");
    const text = complaint(`version: 1\ngroups:\n${groups}\n`);
    expect(text).toContain("... and 30 more");
    expect(text).toContain("80 problems in workspace.yaml; nothing was changed");
  });
});

describe("placeholders", () => {
  it("are literal when escaped, and in comments and keys", () => {
    const declared = read('version: 1\n# ${env:NOT_SET}\nvariables: { "${env:NOT_SET}": "$${env:HOME}" }\n');
    expect(declared.declarations[0]?.args).toMatchObject({ key: "${env:NOT_SET}", value: "${env:HOME}" });
  });
});

it("a variable's value can be any text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.string({ unit: "grapheme", minLength: 1 }),
      (key, value) => {
        const escaped = escapePlaceholders(value);
        const text = stringify({ version: 1, variables: { [`k${key}`]: { value: escaped } } });
        expect(read(text).declarations[0]?.args).toMatchObject({ key: `k${key}`, value });
      },
    ),
    { seed: 11, numRuns: 100 },
  );
});
