/**
 * Tests references by name in a workspace file: each is checked before any request, with suggestions for
 * misspelled ones.
 */
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { definitions, getDefinition } from "../../provider/index.js";
import { listArgsFromParent } from "../../resources/definition/placement.js";
import { readDeclarations, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { documentWith, example } from "./example-document.js";

const folder = temporaryFolder();
type Fields = Record<string, unknown>;

/**
 * Lists where an entry may refer to another one: in its own arguments, or in fields of the items of a list.
 */
const written = definitions.flatMap((definition) => {
  if (!definition.document) return [];
  const fromPlace = listArgsFromParent(definition);
  return Object.entries(definition.references).flatMap(([arg, reference]) => {
    if (fromPlace.includes(arg)) return [];
    const places = reference.each ? Object.entries(reference.each) : [[undefined, reference] as const];
    return places.flatMap(([field, { to }]) => {
      const declared = definitions.some(({ type, document }) => type === to && document);
      return declared ? [{ type: definition.type, arg, field, to, list: reference.list === true }] : [];
    });
  });
});

const [right, wrong] = ["ann.example@example.com", "ann.exmaple@example.com"];

/** Returns the argument with the misspelled name, and the arguments that it requires. */
function naming({ type, arg, field, list }: (typeof written)[number]): Fields {
  const section = definitions.find(
    ({ document }) => document && type in document.under && document.section === arg,
  );
  const word = section?.document?.exclusiveWhen;
  const held = word === undefined ? {} : { [word]: true };
  if (field === undefined) return { [arg]: list ? [wrong] : wrong, ...held };
  // Items of a list may be written as a map by one of their fields.
  const key = field === section?.document?.keyedBy ? wrong : right;
  return { [arg]: { [key]: key === wrong ? null : { [field]: wrong } }, ...held };
}

describe("a misspelled name", () => {
  it("is checked in every argument that refers to another entry", () => {
    expect(written.map(({ type, arg }) => `${type}.${arg}`)).toEqual(
      expect.arrayContaining(["GroupMember.member", "ProjectMember.member", "ProjectMember.permissionSet"]),
    );
  });

  it.each(written)("is reported in $type: $arg $field, with its location and the closest name", (place) => {
    const [definition, target] = [getDefinition(place.type), getDefinition(place.to)];
    const keyed = definition.document?.keyedBy === place.arg;
    const document = documentWith(definition, keyed ? wrong : "parent@example.com", {
      ...example(definition),
      ...(keyed ? {} : naming(place)),
    });
    const { section } = target.document!;
    const declared = { ...(document[section] as Fields | undefined), [right]: example(target) };
    const text = stringify({ ...document, [section]: declared });

    const problems = problemsOf(fileIn(folder, "workspace.yaml", text)).filter(
      ({ code, message }) => code === "unknown-name" && message.includes(wrong),
    );
    const line = text.split("\n").findIndex((each) => each.includes(wrong)) + 1;
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: "unknown-name", place: { line } });
    expect(problems[0]?.message).toContain(
      `no ${target.noun} "${wrong}" is declared in this file. Did you mean "${right}"?`,
    );
  });
});

describe("a suggestion is made for", () => {
  const pipeline = (line: string) =>
    `version: 1\nprojects:\n  web:\n    pipelines:\n      deploy:\n        triggerMode: MANUAL\n        refName: main\n${line}`;
  const action = (line: string) =>
    pipeline(
      `        actions:\n          - name: Build\n            type: AGENT\n            triggerTime: ON_EVERY_EXECUTION\n` +
        `            containerImageName: a\n            containerImageTag: b\n            executeCommands: [c]\n${line}`,
    );

  it.each([
    ["a key at the top", "version: 1\nproject: {}\n", "projects"],
    ["the name of a section", "version: 1\nprojects:\n  web:\n    pipelins: {}\n", "pipelines"],
    ["an argument", pipeline("        refTpye: BRANCH\n"), "refType"],
    [
      "an argument without a word of its name",
      pipeline("        createCommitStatus: true\n"),
      "doNotCreateCommitStatus",
    ],
    ["a word that entries of any kind have", pipeline("        previosly: [x]\n"), "previously"],
    ["the key of an item of a list", action("            kye: x\n"), "key"],
    ["the name of an item of a list", pipeline("        actions: [{ nmae: Build, type: PING }]\n"), "name"],
    ["a key further in", action("            prompts: [{ typ: INLINE, value: x }]\n"), "type"],
    ["an enumeration", pipeline("        refType: BRANHC\n"), "BRANCH"],
    [
      "an enumeration without a word of it",
      "version: 1\nprojects: { w: { pipelines: { p: { triggerMode: ON_PUSH, refName: m } } } }\n",
      "ON_EVERY_PUSH",
    ],
    ["an enumeration in lower case", pipeline("        refType: branch\n"), "BRANCH"],
    ["an enumeration further in", action("            prompts: [{ type: INLNE, value: x }]\n"), "INLINE"],
    [
      "a type of action",
      pipeline("        actions: [{ name: B, type: BIULD, triggerTime: ON_FAILURE }]\n"),
      "BUILD",
    ],
    [
      "a mode of a type of action",
      pipeline("        actions: [{ name: B, type: PUSH, gitAuthMode: ENVKEY, triggerTime: ON_FAILURE }]\n"),
      "ENV_KEY",
    ],
    ["a kind of placeholder", 'version: 1\nvariables: { A: "${evn:HOME}" }\n', "env"],
    [
      "the object of an output",
      'version: 1\nprojects: { web: {} }\nvariables: { A: "${ref:projects/wbe.httpRepository}" }\n',
      "projects/web",
    ],
    [
      "an output",
      'version: 1\nprojects: { web: {} }\nvariables: { A: "${ref:projects/web.httpRepo}" }\n',
      "httpRepository",
    ],
    ["a type of defaults", "version: 1\ndefaults: { Pipelin: {} }\n", "Pipeline"],
    [
      "a template",
      "version: 1\ntemplates: { service: { type: Pipeline, entry: {} } }\nprojects: { w: { pipelines: { p: { template: servcie } } } }\n",
      "service",
    ],
  ])("%s", (_, text, meant) => {
    const messages = problemsOf(fileIn(folder, "workspace.yaml", text)).map(({ message }) => message);
    expect(messages.join("\n")).toContain(`Did you mean "${meant}"`);
  });

  it.each([
    [
      "a name that is short and another",
      "version: 1\nmembers: { ann@example.com: {} }\ngroups: { QA: { members: [zoe@example.com] } }\n",
    ],
    ["a key that resembles nothing", pipeline("        color: red\n")],
  ])("but not for %s", (_, text) => {
    const messages = problemsOf(fileIn(folder, "workspace.yaml", text)).map(({ message }) => message);
    expect(messages).not.toEqual([]);
    expect(messages.join("\n")).not.toContain("Did you mean");
  });
});

function problemsOf(file: string) {
  try {
    readDeclarations(file, { env: {} });
  } catch (error) {
    if (error instanceof WorkspaceFileError) return error.problems;
    throw error;
  }
  return [];
}
