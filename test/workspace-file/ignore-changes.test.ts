/** Tests `ignoreChanges`. */
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readDeclarations } from "../../workspace-file/load/load.js";

const load = (text: string) =>
  readDeclarations("-", { env: {}, stdin: () => `version: 1\nworkspace: acme\n${text}` });

const ignored = (text: string) =>
  load(text).declarations.flatMap(({ name, ignoreChanges }) =>
    ignoreChanges.length > 0 ? `${name}: ${ignoreChanges.join(", ")}` : [],
  );

describe("ignoreChanges", () => {
  it("stands in entries, templates and defaults; the innermost list counts", () => {
    expect(
      ignored(`
defaults: { Group: { ignoreChanges: [description] } }
templates: { team: { type: Group, entry: { description: A team, ignoreChanges: [name] } } }
groups:
  A: {}
  B: { template: team }
  C: { template: team, ignoreChanges: [description, name] }
variables: { REGION: { value: us, ignoreChanges: [value] } }
`),
    ).toEqual([
      "groups/A: description",
      "groups/B: name",
      "groups/C: description, name",
      "variables/REGION: value",
    ]);
  });

  it("is set by overlays: as a whole, or added to the list of an entry that uses a template", () => {
    const base = `version: 1
workspace: acme
defaults: { Variable: { ignoreChanges: [value] } }
templates: { team: { type: Group, entry: { description: A team, ignoreChanges: [name] } } }
groups: { A: {}, B: { template: team }, C: { template: team } }
variables: { REGION: us, COLOR: { value: blue, description: Of the shop } }
`;
    const over = `groups:
  A: { ignoreChanges: [description] }
  B: { ignoreChanges: { $add: [description] } }
  C: { ignoreChanges: { $remove: [name], $add: [description] } }
variables: { COLOR: { ignoreChanges: [description] } }
`;
    const texts = new Map([
      [resolve("base.yaml"), base],
      [resolve("over.yaml"), over],
    ]);
    const { declarations } = readDeclarations("base.yaml", { env: {}, overlays: ["over.yaml"], texts });
    expect(Object.fromEntries(declarations.map(({ name, ignoreChanges }) => [name, ignoreChanges]))).toEqual({
      "groups/A": ["description"],
      "groups/B": ["name", "description"],
      "groups/C": ["description"],
      "variables/REGION": ["value"],
      "variables/COLOR": ["description"],
    });
  });

  const build = (path: string) => `
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Call, type: HTTP, triggerTime: ON_EVERY_EXECUTION, method: POST, notificationUrl: https://a.example.com, headers: [{ name: A, value: b }], variables: { A: b }, ignoreChanges: ["${path}"] }
`;

  it.each(["headers[0]", "headers[0].value", "headers[*].value", "headers", "method"])(
    "takes the path %s",
    (path) => {
      expect(ignored(build(path))).toEqual([`projects/web/pipelines/deploy/actions/Call: ${path}`]);
    },
  );

  const other = (path: string) => `
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - { name: Call, type: SOMETHING_NEW, triggerTime: ON_EVERY_EXECUTION, fields: { a: { b: [c] } }, ignoreChanges: ["${path}"] }
`;

  it.each([build("headers[0].*"), other("fields.a"), other("fields.a.b[0].x"), other("fields.*")])(
    "takes a part of anything that may have parts: %#",
    (text) => {
      expect(ignored(text)).toHaveLength(1);
    },
  );

  it.each([
    [build("headers[0][1]"), "headers[0] is a map: write a key, or headers[0].*"],
    [build("headers[0].value.x"), "headers[0].value has no parts: write only headers[0].value"],
    [build("port.x"), "port has no parts: write only port"],
    [other("fields[0]"), "fields is a map: write a key, or fields.*"],
    [
      build("methd"),
      'an action has no property "methd" whose changes could be ignored. Did you mean "method"?',
    ],
    [build("headers.value"), "headers is a list: write headers[0].value or headers[*].value"],
    [build("headers[*]"), "headers[*] would mix lists of different lengths: write headers"],
    [build("headers[0].valu"), 'headers[0] has no property "valu". Did you mean "value"?'],
    [build("method.x"), "method has no parts: write only method"],
    [build("a."), '"a." is not the path of a property'],
    [
      "groups: { QA: { ignoreChanges: [members] } }",
      "members are entries of their own, so write ignoreChanges there",
    ],
    [
      "groups: { QA: { exclusive: true, members: [1], ignoreChanges: [members] } }",
      "omit exclusive instead, and members are only added",
    ],
    ["groups: { QA: { external: true, ignoreChanges: [name] } }", "this group is external"],
  ])("refuses what would ignore nothing, or too little: %#", (text, message) => {
    expect(() => load(text)).toThrow(message);
  });
});
