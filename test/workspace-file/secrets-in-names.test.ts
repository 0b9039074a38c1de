/** Tests that no secret becomes part of what identifies an object, for every type and in every way to compose a file. */
import { describe, expect, it } from "vitest";
import { definitions } from "../../provider/index.js";
import { getArgsSchema } from "../../resources/definition/definition.js";
import { listArgsFromParent } from "../../resources/definition/placement.js";
import { listIdentifyingArgs } from "../../resources/definition/which-arguments.js";
import { type LoadOptions, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { Files } from "./document-files.js";
import { documentWith, example } from "./example-document.js";

const files = new Files();
const env = { WORKSPACE_VAR_TOKEN: "s3cret" };
const config = () => ({ value: "s3cret", secret: true });

/** Returns the places of `secret-name` problems, as `file:line`. */
function refused(texts: Record<string, string>, options: LoadOptions = {}): string[] {
  files.write({ "key.txt": "s3cret", ...texts });
  const [name = ""] = Object.keys(texts);
  try {
    files.read(name, { env, config, ...options });
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    // No other problem of the value repeats it.
    if (error.problems.some(({ code }) => code === "secret-name"))
      expect(error.message).not.toContain("s3cret");
    return error.problems
      .filter(({ code }) => code === "secret-name")
      .map(({ place }) => `${place.file.replace(`${files.folder}/`, "")}:${place.line}`);
  }
  return [];
}

const placed = definitions.filter((definition) => definition.document && definition.document.form !== "keys");
const cases = placed.flatMap((definition) => {
  const written = { ...example(definition), [definition.document?.keyedBy ?? ""]: "a" };
  const names = Object.keys(getArgsSchema(definition, written).shape).filter(
    (name) => listIdentifyingArgs(definition).has(name) && !listArgsFromParent(definition).includes(name),
  );
  return [...names, "previously", "ignoreChanges", "retain"].map((name) => ({
    type: definition.type,
    definition,
    name,
  }));
});

describe("a secret", () => {
  it.each(cases)("is refused in $type.$name", ({ definition, name }) => {
    for (const secret of [
      "${secret:env:TOKEN}",
      "a ${secret:file:key.txt}",
      "${file:key.txt}",
      "${config:key}",
    ]) {
      const value = ["previously", "ignoreChanges"].includes(name) ? [secret] : secret;
      const document = documentWith(definition, "a@example.com", { ...example(definition), [name]: value });
      expect(refused({ "workspace.json": JSON.stringify(document) })).toEqual(["workspace.json:1"]);
      const open = documentWith(definition, "a@example.com", {
        ...example(definition),
        [name]: "${env:TOKEN}",
      });
      expect(refused({ "workspace.json": JSON.stringify(open) })).toEqual([]);
    }
  });

  it.each(["workspace", "connection", "owns", "adopt"])("is refused in the head of a file: %s", (key) => {
    expect(refused({ "workspace.yaml": `${key}: ["\${secret:env:TOKEN}"]\n` })).toEqual(["workspace.yaml:2"]);
  });

  it("is refused in the key of an item of a list, and in a list of keys", () => {
    const actions = (item: string) =>
      `projects: { web: { pipelines: { d: { triggerMode: MANUAL, refName: main, actions: [\n  ${item}] } } } }\n`;
    for (const item of [
      '{ name: "${secret:env:TOKEN}", type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a }',
      '{ key: "${file:key.txt}", name: A, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a }',
    ])
      expect(refused({ "workspace.yaml": actions(item) })).toEqual(["workspace.yaml:3"]);
    const members = 'members: { a@example.com: {} }\ngroups:\n  QA: { members: ["${secret:env:TOKEN}"] }\n';
    expect(refused({ "workspace.yaml": members })).toEqual(["workspace.yaml:4"]);
    const exclusive = members.replace("QA: {", "QA: { exclusive: true,");
    expect(refused({ "workspace.yaml": exclusive })).toEqual(["workspace.yaml:4"]);
  });

  it("is refused wherever it comes from, where it is written", () => {
    const group = "groups:\n  g: {}\n";
    const name = '{ name: "${secret:env:TOKEN}" }';
    const template = (entry: string, more: string) =>
      `templates:\n  t: { type: Group, parameters: { p: {${more}} }, entry: ${entry} }\n`;
    expect(
      refused({
        "workspace.yaml": `defaults: { Pipeline: { refName: "\${file:key.txt}" } }\nprojects: { web: { pipelines: { d: { triggerMode: MANUAL } } } }\n`,
      }),
    ).toEqual(["workspace.yaml:2"]);
    const overlay = { "workspace.yaml": group, "workspace.eu.yaml": `groups:\n  g: ${name}\n` };
    expect(refused(overlay, { stack: "eu" })).toEqual(["workspace.eu.yaml:3"]);
    const using = 'groups:\n  g: { template: t, with: { p: "${secret:env:TOKEN}" } }\n';
    expect(refused({ "workspace.yaml": template('{ name: "${param:p}" }', "") + using })).toEqual([
      "workspace.yaml:5",
    ]);
    expect(refused({ "workspace.yaml": template('{ name: "a ${param:p}" }', "") + using })).toEqual([
      "workspace.yaml:3",
    ]);
    const byDefault = template('{ name: "a ${param:p}" }', 'default: "${file:key.txt}"');
    expect(refused({ "workspace.yaml": `${byDefault}groups:\n  g: { template: t }\n` })).toEqual([
      "workspace.yaml:3",
    ]);
  });

  it("of another object is refused", () => {
    const variables = (more: string) =>
      `variables:\n  A: { value: a${more} }\ngroups:\n  g: { name: "x \${ref:variables/A.value}" }\n`;
    expect(refused({ "workspace.yaml": variables(", encrypted: true") })).toEqual(["workspace.yaml:5"]);
    expect(refused({ "workspace.yaml": variables("") })).toEqual([]);
    const referring = variables("").replace("value: a", 'value: "${secret:env:TOKEN}"');
    expect(refused({ "workspace.yaml": referring })).toEqual(["workspace.yaml:5"]);
  });

  it("is refused when nothing has its value", () => {
    const text = { "workspace.yaml": 'groups:\n  g: { name: "${secret:env:ABSENT}" }\n' };
    for (const options of [{ mock: true }, { mock: "config" as const }, { secretsLater: true }])
      expect(refused(text, options)).toEqual(["workspace.yaml:3"]);
  });

  it("of the configuration is refused when only the settings of the stack say that it is secret", () => {
    const text = { "workspace.yaml": 'groups:\n  g: { name: "${config:secret} ${config:open}" }\n' };
    const options = { mock: "config" as const, config: () => undefined };
    expect(refused(text, { ...options, secretConfig: (key) => key === "secret" })).toEqual([
      "workspace.yaml:3",
    ]);
    expect(refused(text, { ...options, secretConfig: () => false })).toEqual([]);
  });

  it("is allowed where a value is content", () => {
    const text =
      'groups: { g: { description: "${secret:env:TOKEN}" } }\nvariables: { A: "${file:key.txt}", B: "${config:key}" }\n' +
      'projects: { web: { displayName: "${file:key.txt}", files: { a.txt: "${file:key.txt}" } } }\n';
    expect(refused({ "workspace.yaml": text })).toEqual([]);
  });
});
