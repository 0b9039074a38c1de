/** Documents of many parts: includes, folders, overlays, templates, defaults, placeholders. Each story on files of its own. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Interpolated } from "../../schema/index.js";
import {
  readDeclarations,
  rendered,
  WorkspaceFileError,
  type Declared,
  type ReadOptions,
} from "../../sdk/nodejs/load/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "composition-"));
});

/** Writes files beginning with `version: 1` unless they say otherwise. */
function files(texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const head = /\.ya?ml$/.test(name) && !text.startsWith("version") ? "version: 1\n" : "";
    writeFileSync(join(folder, name), head + text);
  }
}

function read(name = "workspace.yaml", options: ReadOptions = {}): Declared {
  return readDeclarations(join(folder, name), { env: {}, ...options });
}

/** What is wrong, a line each: `file:line: message`. */
function wrong(name = "workspace.yaml", options: ReadOptions = {}): string[] {
  try {
    read(name, options);
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    return error.problems.map(
      ({ place, message }) =>
        `${place.file.replace(`${folder}/`, "")}:${place.line}: ${message.replaceAll(`${folder}/`, "")}`,
    );
  }
  return [];
}

const names = (declared: Declared) => declared.declarations.map(({ name }) => name);
function args(declared: Declared, name: string) {
  const found = declared.declarations.find((d) => d.name === name);
  if (!found) throw new Error(`${name} is not among ${names(declared).join(", ")}`);
  return found.args;
}

describe("many files", () => {
  it("include one another, each once, by name or pattern", () => {
    files({
      "workspace.yaml": "include: [teams/*.yaml, more.yaml]\ngroups: { QA: {} }\n",
      "teams/b.yaml": "groups: { B: {} }\n",
      "teams/a.yaml": "groups: { A: {} }\ninclude: [../more.yaml]\n",
      "more.yaml": "include: [workspace.yaml]\nvariables: { X: y }\n",
    });
    expect(names(read())).toEqual(["groups/QA", "groups/A", "groups/B", "variables/X"]);
  });

  it("of a folder are one document; Pulumi's own, hidden ones and overlays are no part of it", () => {
    files({
      "projects.yaml": "projects: { web: { displayName: Web } }\n",
      "people.yml": "members: { ann@example.com: { admin: true } }\n",
      "projects.eu.yaml": "projects: { web: { displayName: Web EU } }\n",
      "web.shop.yaml": "groups: { Shop: {} }\n",
      "Pulumi.yaml": "name: x\n",
      "Pulumi.eu.yaml": "config: {}\n",
      ".hidden.yaml": "groups: { Hidden: {} }\n",
    });
    expect(names(read(".")).toSorted()).toEqual(["groups/Shop", "members/ann@example.com", "projects/web"]);
    expect(args(read(".", { stack: "org/ops/eu" }), "projects/web")["displayName"]).toBe("Web EU");
  });

  it("come from the standard input too, with paths relative to the working directory", () => {
    const declared = readDeclarations("-", { stdin: () => "version: 1\ngroups: { QA: {} }\n" });
    expect(names(declared)).toEqual(["groups/QA"]);
    expect(() => readDeclarations("-", { stdin: () => "version: 1\ngrups: {}\n" })).toThrow(
      /^<stdin>:2:1: unknown property "grups". Did you mean "groups"\?/,
    );
  });

  it("say nothing twice: both places are named", () => {
    files({
      "workspace.yaml": "include: [b.yaml]\nworkspace: acme\ngroups:\n  QA: { description: One }\n",
      "b.yaml": "workspace: other\ngroups:\n  QA: { description: Two }\n",
    });
    expect(wrong()).toEqual([
      "b.yaml:2: workspace is another one than in workspace.yaml:3: say it in one of the files",
      'b.yaml:4: group "QA" is declared twice: also in workspace.yaml:5. Take one of them out, or put them together',
    ]);
  });

  it("may spread what stands under one entry", () => {
    files({
      "workspace.yaml": "include: [deploy.yaml, test.yaml]\nprojects: { web: { displayName: Web } }\n",
      "deploy.yaml": "projects: { web: { pipelines: { deploy: { triggerMode: MANUAL, refName: main } } } }\n",
      "test.yaml": "projects: { web: { pipelines: { test: { triggerMode: MANUAL, refName: main } } } }\n",
    });
    expect(names(read())).toEqual([
      "projects/web",
      "projects/web/pipelines/deploy",
      "projects/web/pipelines/test",
    ]);
  });

  it("stay in their folder, unless another one is allowed", () => {
    files({
      "in/workspace.yaml":
        'include: [../out/x.yaml, none/*.yaml]\nvariables: { A: "${file:../out/a.txt}" }\n',
      "out/x.yaml": "groups: { X: {} }\n",
      "out/a.txt": "text",
    });
    expect(wrong("in/workspace.yaml")).toEqual([
      "in/workspace.yaml:2: ../out/x.yaml is outside the folder of the workspace file: copy it there, or allow its folder with --allow-path",
      "in/workspace.yaml:2: there is no file none/*.yaml beside this one",
      "in/workspace.yaml:3: the file ../out/a.txt is outside the folder of the workspace file: copy it there, or allow its folder with --allow-path",
    ]);
    files({ "in/workspace.yaml": 'include: [../out/x.yaml]\nvariables: { A: "${file:../out/a.txt}" }\n' });
    const declared = read("in/workspace.yaml", { allowPaths: [join(folder, "out")] });
    expect(args(declared, "variables/A")["value"]).toBe("text");
  });
});

describe("overlays", () => {
  const base = `defaults: { Action: { triggerTime: ON_EVERY_EXECUTION, containerImageTag: "22" } }
groups:
  QA: { description: Testers, members: [a@example.com, b@example.com] }
  Old: {}
members: { a@example.com: {}, b@example.com: {}, c@example.com: {} }
variables: { REGION: us, KEY: plain }
projects:
  web:
    displayName: Web
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - { name: Build, type: BUILD, containerImageName: node, executeCommands: [one, two] }
          - { name: Ship, type: BUILD, containerImageName: node, executeCommands: [ship] }
`;
  const over = (overlay: string) => {
    files({ "workspace.yaml": base, "workspace.eu.yaml": overlay });
    return rendered(read("workspace.yaml", { stack: "eu" })) as {
      groups: Record<string, unknown>;
      variables: Record<string, unknown>;
      projects: { web: { pipelines: { deploy: { actions: { name: string }[] } } } };
    };
  };

  it("of the stack are laid over the file, and others that are named over that", () => {
    files({
      "workspace.yaml": base,
      "workspace.eu.yaml": "variables: { REGION: eu, NEW: eu }\n",
      "extra.yaml": "variables: { NEW: extra }\n",
    });
    expect(args(read("workspace.yaml", { stack: "dev" }), "variables/REGION")["value"]).toBe("us");
    const eu = read("workspace.yaml", { stack: "eu", overlays: [join(folder, "extra.yaml")] });
    expect(args(eu, "variables/REGION")["value"]).toBe("eu");
    expect(args(eu, "variables/NEW")["value"]).toBe("extra");
  });

  it("set, remove and replace", () => {
    const { groups, variables } = over(
      "groups: { QA: { description: EU }, Old: { $remove: true }, New: {} }\nvariables: { $replace: true, ONLY: x }\n",
    );
    expect(groups).toEqual({
      QA: { description: "EU", members: ["a@example.com", "b@example.com"] },
      New: {},
    });
    expect(variables).toEqual({ ONLY: "x" });
  });

  it("add to lists of plain values and take from them", () => {
    const { groups } = over(
      "groups: { QA: { members: { $add: [c@example.com], $remove: [a@example.com] } } }\n",
    );
    expect(groups["QA"]).toMatchObject({ members: ["b@example.com", "c@example.com"] });
  });

  it("write the short form of an entry out where they add to it", () => {
    expect(over("variables: { KEY: { encrypted: true } }\n").variables["KEY"]).toEqual({
      value: "[secret]",
      encrypted: true,
    });
  });

  it("merge actions by their keys, and place new ones", () => {
    const { actions } = over(`projects: { web: { pipelines: { deploy: { actions: [
  { name: Ship, executeCommands: [ship --eu] },
  { name: Check, type: BUILD, containerImageName: node, executeCommands: [check], $after: Build },
  { name: Build, $remove: true },
  { name: Last, type: BUILD, containerImageName: node, executeCommands: [last] } ] } } } }
`).projects.web.pipelines.deploy;
    expect(actions).toMatchObject([
      { name: "Check", type: "BUILD", containerImageName: "node" },
      { name: "Ship", type: "BUILD", containerImageName: "node", executeCommands: ["ship --eu"] },
      { name: "Last", type: "BUILD", containerImageName: "node" },
    ]);
  });

  it("that speak of what is not there are refused, with the nearest name", () => {
    files({
      "workspace.yaml": base,
      "workspace.eu.yaml": `groups: { Qa: { $remove: true }, QA: { members: { $remove: [x@example.com] } } }
variables: { REGION: { $take: 1 } }
`,
    });
    expect(wrong("workspace.yaml", { stack: "eu" })).toEqual([
      'workspace.eu.yaml:2: there is no "Qa" under this overlay. Did you mean "QA"?',
      expect.stringContaining('there is no "x@example.com" under this overlay'),
      expect.stringContaining("$take is no word of an overlay here"),
    ]);
  });
});

describe("templates", () => {
  const service = `defaults: { Action: { triggerTime: ON_EVERY_EXECUTION, containerImageTag: "22" } }
templates:
  service:
    type: Pipeline
    parameters: { name: {}, node: { default: "22", enum: ["20", "22"] }, env: { default: { A: "1" } } }
    entry:
      triggerMode: ON_EVERY_PUSH
      refName: main
      variables: "\${param:env}"
      actions:
        - { name: Test, type: BUILD, containerImageName: node, containerImageTag: "\${param:node}", executeCommands: ["test \${param:name} \${HOME}"] }
        - { template: notify, with: { text: "\${param:name} failed" } }
  notify:
    type: Action
    parameters: { text: {} }
    entries:
      - { name: Tell, type: SMS, content: "\${param:text}", triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "+49 1" }
`;
  const using = (entry: string) => `${service}projects: { web: { pipelines: { api: ${entry} } } }\n`;

  it("stand for entries, and for several items of a list", () => {
    files({ "workspace.yaml": using("{ template: service, with: { name: api }, refName: release }") });
    const declared = read();
    expect(args(declared, "projects/web/pipelines/api")).toMatchObject({ refName: "release" });
    expect(args(declared, "projects/web/pipelines/api/actions/Test")).toMatchObject({
      containerImageTag: "22",
      executeCommands: ["test api ${HOME}"],
    });
    expect(args(declared, "projects/web/pipelines/api/actions/Tell")["content"]).toBe("api failed");
    expect(args(declared, "projects/web/pipelines/api/variables/A")["value"]).toBe("1");
  });

  it("are changed by the entry and by overlays, and so are their parameters", () => {
    files({
      "workspace.yaml": using(
        "{ template: service, with: { name: api }, actions: [{ name: Lint, type: BUILD, containerImageName: node, executeCommands: [lint], $before: Test }] }",
      ),
      "workspace.eu.yaml":
        'projects: { web: { pipelines: { api: { with: { node: "20" }, actions: [{ name: Tell, recipients: "+49 2" }] } } } }\n',
    });
    const eu = read("workspace.yaml", { stack: "eu" });
    expect(
      names(eu)
        .filter((name) => name.includes("/actions/"))
        .map((name) => name.split("/").at(-1)),
    ).toEqual(["Lint", "Test", "Mail"]);
    expect(args(eu, "projects/web/pipelines/api/actions/Test")["containerImageTag"]).toBe("20");
    expect(args(eu, "projects/web/pipelines/api/actions/Tell")["recipients"]).toBe("+49 2");
  });

  it("may be brought in by an overlay", () => {
    files({
      "workspace.yaml": `${service}projects: { web: {} }\n`,
      "workspace.eu.yaml":
        "projects: { web: { pipelines: { api: { template: service, with: { name: api } } } } }\n",
    });
    expect(names(read("workspace.yaml", { stack: "eu" }))).toContain(
      "projects/web/pipelines/api/actions/Tell",
    );
  });

  it.each([
    ["a parameter is missing", "{ template: service }", 'with.name: is required by template "service"'],
    [
      "a parameter is unknown",
      "{ template: service, with: { name: a, nod: x } }",
      'template "service" has no parameter "nod". Did you mean "node"?',
    ],
    [
      "a value is not allowed",
      '{ template: service, with: { name: a, node: "18" } }',
      "node: must be one of 20, 22",
    ],
    [
      "there is no such template",
      "{ template: servce }",
      'there is no template "servce". Did you mean "service"?',
    ],
    [
      "it is for another type",
      "{ template: notify }",
      'template "notify" is for the type Action, and this is of Pipeline',
    ],
  ])("are refused where %s", (_what, entry, message) => {
    files({ "workspace.yaml": using(entry) });
    expect(wrong().join("\n")).toContain(message);
  });

  it("cannot use themselves", () => {
    files({
      "workspace.yaml": `templates:
  a: { type: Pipeline, entry: { template: b } }
  b: { type: Pipeline, entry: { template: a } }
projects: { web: { pipelines: { x: { template: a } } } }
`,
    });
    expect(wrong().join("\n")).toContain('template "a" uses itself: a -> b -> a');
  });
});

describe("defaults", () => {
  it("are below what entries and templates say; of an action's, those of its type count", () => {
    files({
      "workspace.yaml": `defaults:
  Pipeline: { refName: main, variables: { CI: "true" } }
  Action: { containerImageName: node, containerImageTag: "22", executeCommands: [x], triggerTime: ON_EVERY_EXECUTION }
projects:
  web:
    pipelines:
      a: { triggerMode: MANUAL, variables: { X: "1" }, actions: [{ name: B, type: BUILD }, { name: S, type: PING, destination: example.com }] }
      b: { triggerMode: MANUAL, refName: other }
  legacy: { external: true }
`,
    });
    const declared = read();
    expect(args(declared, "projects/web/pipelines/a")["refName"]).toBe("main");
    expect(args(declared, "projects/web/pipelines/b")["refName"]).toBe("other");
    expect(names(declared)).toEqual(expect.arrayContaining(["projects/web/pipelines/a/variables/CI"]));
    expect(args(declared, "projects/web/pipelines/a/actions/B")["containerImageName"]).toBe("node");
    expect(args(declared, "projects/web/pipelines/a/actions/S")).not.toHaveProperty("containerImageName");
  });

  it("are for types, and for arguments that these have", () => {
    files({
      "workspace.yaml": "defaults:\n  pipelines: {}\n  Pipeline: { refNam: main, name: x }\n  Piplin: {}\n",
    });
    expect(wrong()).toEqual([
      'workspace.yaml:3: unknown type "pipelines". Did you mean Pipeline?',
      'workspace.yaml:4: a pipeline has no "refNam". Did you mean "refName"?',
      "workspace.yaml:4: name is each pipeline's own: it has no default",
      'workspace.yaml:5: unknown type "Piplin". Did you mean "Pipeline"?',
    ]);
  });
});

describe("placeholders", () => {
  const variable = (text: string) =>
    files({ "workspace.yaml": `variables:\n  A: ${JSON.stringify(text)}\n` });
  const value = (text: string, options: ReadOptions = {}) => {
    variable(text);
    return args(read("workspace.yaml", options), "variables/A")["value"];
  };

  it("take the environment, or what is to be taken otherwise", () => {
    expect(value("${env:NAME}", { env: { NAME: "x" } })).toBe("x");
    expect(value("${env:NAME:-y}", { env: { NAME: "" } })).toBe("y");
    expect(value("a ${env:NAME:-} b")).toBe("a  b");
    variable("${env:NAME}");
    expect(wrong()).toEqual([
      expect.stringContaining("workspace.yaml:3: the environment variable NAME is not set"),
    ]);
    expect(wrong("workspace.yaml", { env: { NAME: "" } })[0]).toContain("NAME is empty");
  });

  it("leave a shell's alone, and $${ is a literal ${", () => {
    for (const text of [
      "${HOME}",
      "${TAG:-latest}",
      "${tag:-latest}",
      "${v:0:3}",
      "${v:?no}",
      "${#list}",
      "${a%%.*}",
    ])
      expect(value(text)).toBe(text);
    expect(value("$${env:NAME} and $${x}")).toBe("${env:NAME} and ${x}");
  });

  it("that are slips are named, with the nearest kind", () => {
    variable("${evn:HOME}");
    expect(wrong()[0]).toContain('"${evn:HOME}" is not a placeholder. Did you mean "env"?');
    variable("${param:x}");
    expect(wrong()[0]).toContain("a parameter is known in the body of a template only");
  });

  it("become numbers, and true or false, where only these may stand", () => {
    files({
      "workspace.yaml": 'members: { a@example.com: { admin: "${env:ADMIN}" } }\n',
    });
    expect(args(read("workspace.yaml", { env: { ADMIN: "true" } }), "members/a@example.com")["admin"]).toBe(
      true,
    );
    expect(wrong("workspace.yaml", { env: { ADMIN: "yes" } })[0]).toContain("must be true or false");
  });

  it("take the stack's configuration, where secrets stay secret", () => {
    variable("${config:token}");
    const declared = read("workspace.yaml", { config: () => ({ value: "s3cret", secret: true }) });
    expect(declared.declarations[0]?.secrets).toEqual(["value"]);
    expect(rendered(declared)).toMatchObject({ variables: { A: "${config:token}" } });
    expect(wrong()[0]).toContain('the configuration token is not set: "pulumi config set token VALUE"');
  });

  it("refer to outputs of other objects, which are declared before", () => {
    files({
      "workspace.yaml":
        'variables: { URL: "git ${ref:project/web.httpRepository}" }\nprojects: { web: {} }\n',
    });
    const declared = read();
    expect(names(declared)).toEqual(["projects/web", "variables/URL"]);
    expect(args(declared, "variables/URL")["value"]).toEqual(
      new Interpolated(["git ", expect.objectContaining({ name: "projects/web", output: "httpRepository" })]),
    );
  });

  it("that refer to nothing, or to one another, are refused", () => {
    files({
      "workspace.yaml": `variables:
  A: "\${ref:projects/wbe.httpRepository}"
  B: "\${ref:projects/web.httpRepo}"
  C: "\${ref:variables/D.variableId}"
  D: "\${ref:variables/C.variableId}"
projects: { web: {} }
`,
    });
    expect(wrong()).toEqual([
      expect.stringContaining(
        'workspace.yaml:3: ${ref:projects/wbe.httpRepository}: nothing of that name is declared. Did you mean "projects/web"?',
      ),
      expect.stringContaining(
        'workspace.yaml:4: ${ref:projects/web.httpRepo}: a project has no output "httpRepo"',
      ),
      expect.stringContaining(
        "workspace.yaml:5: these need one another: variables/C -> variables/D -> variables/C",
      ),
    ]);
  });

  it("have made-up values where nothing but the form is checked", () => {
    files({
      "workspace.yaml":
        'members: { a@example.com: { admin: "${env:ADMIN}" } }\nvariables: { A: { value: "${config:x}", encrypted: true } }\n',
    });
    expect(wrong("workspace.yaml", { mock: true })).toEqual([]);
    expect(wrong("workspace.yaml", { mock: "config" })[0]).toContain(
      "the environment variable ADMIN is not set",
    );
  });
});
