/**
 * Tests the JSON Schemas of workspace files and overlays: they are fully documented and agree with the
 * loader.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { draft07Of, inDraft07 } from "../../scripts/draft-07.mjs";
import { readDeclarations } from "../../workspace-file/load/load.js";

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists the schemas of workspace files and overlays; reports, plans and fleets have their own. */
const files = inDraft07.flat();
const texts = new Map(
  inDraft07.flatMap(([from, to]) => {
    const text = readFileSync(join("schema", from), "utf8");
    return [[from, text] as const, [to, draft07Of(text)] as const];
  }),
);
const read = (name: string) => JSON.parse(texts.get(name) ?? "") as Node;

const compiled = new Map<string, ValidateFunction>();

/** Compiles a schema once for all tests. */
function validator(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known) return known;
  const options = { strict: true, strictTypes: false, strictRequired: false, allErrors: true } as const;
  const ajv = name.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  for (const word of ["enumDescriptions", "patternErrorMessage", "defaultSnippets", "doNotSuggest"])
    ajv.addKeyword(word);
  const validate = ajv.compile(read(name));
  compiled.set(name, validate);
  return validate;
}

/**
 * Yields every property that a schema describes, with its path. Conditions and requirements only repeat
 * properties.
 */
function* describedProperties(node: unknown, path: string): Generator<[string, Node]> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* describedProperties(item, `${path}/${index}`);
    return;
  }
  if (!isNode(node)) return;
  for (const [word, value] of Object.entries(node)) {
    if (["if", "not", "examples", "default", "defaultSnippets", "enum"].includes(word)) continue;
    if (["$defs", "definitions"].includes(word) && isNode(value)) {
      for (const [id, part] of Object.entries(value)) {
        // A property to which several types refer.
        if (/_[a-z]/.test(id) && isNode(part) && !("$ref" in part)) yield [`${path}/${word}/${id}`, part];
        yield* describedProperties(part, `${path}/${word}/${id}`);
      }
    } else if (word === "properties" && isNode(value)) {
      for (const [name, property] of Object.entries(value)) {
        const mentioned = !isNode(property) || "$ref" in property || property["doNotSuggest"] === true;
        const at = `${path}/properties/${name}`;
        if (!mentioned) yield [at, property];
        if (!mentioned) yield* describedProperties(property, at);
      }
    } else yield* describedProperties(value, `${path}/${word}`);
  }
}

/** Checks whether a property is a map or list of entries, which need no example of their own. */
const holdsEntries = (property: Node) =>
  [property["additionalProperties"], property["items"]].some((inner) => isNode(inner) && "$ref" in inner) ||
  isNode(property["additionalProperties"]);

describe.each(files)("%s", (name) => {
  const properties = [...describedProperties(read(name), "")];

  it("describes the properties of all types", () => {
    expect(properties.length).toBeGreaterThan(180);
  });

  it("gives every property a title and a description", () => {
    const bare = properties.filter(
      ([, p]) => typeof p["title"] !== "string" || typeof p["description"] !== "string",
    );
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it("gives every property with a value an example, and all examples are valid", () => {
    const without = properties.filter(([, p]) => !Array.isArray(p["examples"]) && !holdsEntries(p));
    expect(without.map(([path]) => path)).toEqual([]);
    // Compiles each property separately, without inlining its references again and again.
    const quick = { inlineRefs: false, code: { optimize: false } } as const;
    const ajv = new Ajv2020({ strict: false, validateSchema: false, ...quick }).addSchema(
      read(name),
      "whole",
    );
    const wrong = properties.flatMap(([path, property]) => {
      const validate = ajv.compile({ $ref: `whole#${path}` });
      return ((property["examples"] ?? []) as unknown[])
        .filter((e) => !validate(e))
        .map((e) => `${path}: ${JSON.stringify(e)}`);
    });
    expect(wrong).toEqual([]);
  });

  it("describes every value of an enumeration", () => {
    const speechless = properties.filter(([, p]) => {
      const alternatives = [p, ...((p["anyOf"] ?? []) as Node[])].filter((a) => Array.isArray(a["enum"]));
      return alternatives.some((a) => {
        const meanings = a["enumDescriptions"] as string[] | undefined;
        return meanings?.length !== (a["enum"] as unknown[]).length || meanings.includes("");
      });
    });
    expect(speechless.map(([path]) => path)).toEqual([]);
  });

  it("has no unresolved reference", () => {
    expect(() => validator(name)).not.toThrow();
  });
});

describe("the examples of the project", () => {
  const documents = [
    "test/workspace-file/sample.yaml",
    ...readdirSync("examples", { recursive: true, encoding: "utf8" })
      .filter((name) => /(^|\/)workspace[^/]*\.ya?ml$/.test(name) && !/node_modules|^ci\/gitlab\//.test(name))
      .map((name) => join("examples", name)),
  ];

  it.each(documents)("%s is valid", (file) => {
    const overlay = /workspace\.[^/]+\.ya?ml$/.test(file);
    for (const draft of ["", ".draft-07"]) {
      const validate = validator(`${overlay ? "overlay" : "workspace"}${draft}.schema.json`);
      expect(
        validate(parse(readFileSync(file, "utf8"), { merge: true })),
        JSON.stringify(validate.errors),
      ).toBe(true);
    }
  });

  it("in the documentation are valid", () => {
    const text = readFileSync("docs/workspace-file.md", "utf8");
    const blocks = [...text.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, block = ""]) => block);
    expect(blocks.length).toBeGreaterThan(3);
    const validate = validator("workspace.schema.json");
    for (const block of blocks) {
      const document = parse(block, { merge: true }) as object;
      expect(
        validate({ version: 1, defaults: {}, ...document }),
        `${block}${JSON.stringify(validate.errors)}`,
      ).toBe(true);
    }
  });
});

describe("a document", () => {
  const folder = mkdtempSync(join(tmpdir(), "json-schema-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const validate = validator("workspace.schema.json");

  function judged(text: string): { schema: boolean; loader: string } {
    const file = join(folder, "workspace.yaml");
    writeFileSync(file, text);
    let loader = "";
    try {
      readDeclarations(file, { env: {} });
    } catch (error) {
      loader = (error as Error).message;
    }
    return { schema: validate(parse(text, { merge: true })), loader };
  }

  const pipeline = (rest: string) => `version: 1\nprojects: { web: { pipelines: { p: { ${rest} } } } }\n`;
  const action = (rest: string) =>
    pipeline(`triggerMode: MANUAL, refName: main, actions: [{ name: A, ${rest} }]`);
  const build =
    "type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: '22'";

  it.each([
    ["a minimal file", "version: 1\n"],
    ["a pipeline", pipeline("triggerMode: MANUAL, refName: main")],
    ["an action", action(`${build}, executeCommands: [a]`)],
    ["an action with variables", action(`${build}, executeCommands: [a], variables: { A: b }`)],
    ["an action of another type", action("type: SCAN_IT, triggerTime: ON_FAILURE, fields: { a: 1 }")],
    ["a push with no authentication", action("type: PUSH, triggerTime: ON_FAILURE, pushUrl: 'git@host:x'")],
    [
      "a port as a text",
      action("type: HTTP, triggerTime: ON_BACK_TO_SUCCESS, notificationUrl: 'https://x', port: '80'"),
    ],
    ["a null section", "version: 1\nprojects:\n"],
    ["a null entry", "version: 1\nmembers: { ann@example.com: null }\n"],
    ["a key of its own", action(`key: b, ${build}, executeCommands: [a]`)],
    [
      "words of an entry",
      pipeline("triggerMode: MANUAL, refName: main, retain: true, protect: false, previously: [q]"),
    ],
    [
      "a template",
      "version: 1\ntemplates: { t: { type: Pipeline, entry: { triggerMode: MANUAL, refName: main } } }\nprojects: { web: { pipelines: { p: { template: t } } } }\n",
    ],
    [
      "defaults",
      `version: 1\ndefaults: { Pipeline: { refName: main } }\nprojects: { web: { pipelines: { p: { triggerMode: MANUAL } } } }\n`,
    ],
  ])("is valid for the schema and the loader: %s", (_name, text) => {
    expect(judged(text)).toEqual({ schema: true, loader: "" });
  });

  it.each([
    ["no version", "workspace: acme\n"],
    ["another version", "version: 2\n"],
    ["a misspelled section", "version: 1\nproject: {}\n"],
    ["a misspelled argument", pipeline("triggerMode: MANUAL, refNam: main")],
    ["an unknown word", pipeline("triggerMode: MANUAL, refName: main, keep: true")],
    ["a wrong enumeration", pipeline("triggerMode: SOMETIMES, refName: main")],
    ["something missing", pipeline("triggerMode: MANUAL")],
    ["a number for a text", pipeline("triggerMode: MANUAL, refName: 1")],
    [
      "a text for a number",
      pipeline("triggerMode: SCHEDULED, refName: main, startDate: '2026-01-31T08:00:00Z', delay: soon"),
    ],
    ["a date in no form", pipeline("triggerMode: SCHEDULED, refName: main, startDate: tomorrow, delay: 5")],
    ["a text for a boolean", pipeline("triggerMode: MANUAL, refName: main, autoClearCache: 'yes'")],
    ["an empty text", pipeline("triggerMode: MANUAL, refName: ''")],
    ["a list for a map", "version: 1\nprojects: []\n"],
    ["a map for a list", pipeline("triggerMode: MANUAL, refName: main, actions: {}")],
    ["no type", action("triggerTime: ON_FAILURE")],
    [
      "no name",
      pipeline(
        "triggerMode: MANUAL, refName: main, actions: [{ type: PING, triggerTime: ON_FAILURE, destination: x }]",
      ),
    ],
    ["an argument of another type", action(`${build}, executeCommands: [a], destination: x`)],
    ["an argument that the type needs", action(build)],
    ["no commands", action(`${build}, executeCommands: []`)],
    ["a misspelled type", action("type: BUILDD, triggerTime: ON_FAILURE, executeCommands: [a]")],
    [
      "an unknown way to authenticate",
      action("type: PUSH, triggerTime: ON_FAILURE, pushUrl: 'git@host:x', gitAuthMode: KEY"),
    ],
    [
      "no way to authenticate",
      action("type: CLOUD_VM, triggerTime: ON_FAILURE, host: x, login: y, port: 22"),
    ],
    [
      "a key without a key",
      action("type: PUSH, triggerTime: ON_FAILURE, pushUrl: 'git@host:x', gitAuthMode: ENV_KEY"),
    ],
    [
      "a timeout out of range",
      action(
        "type: HTTP, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, notificationUrl: 'https://x', timeout: 601",
      ),
    ],
    [
      "another time than the type has",
      action(`${build.replace("ON_EVERY_EXECUTION", "ON_WARNING")}, executeCommands: [a]`),
    ],
    [
      "an external entry with arguments",
      "version: 1\nprojects: { web: { external: true, displayName: x } }\n",
    ],
    ["an external action", action("external: true")],
    ["external: false", "version: 1\nprojects: { web: { external: false } }\n"],
    ["an argument that follows from the place", pipeline("triggerMode: MANUAL, refName: main, project: web")],
    ["a template without a type", "version: 1\ntemplates: { t: { entry: {} } }\n"],
    ["a template without an entry", "version: 1\ntemplates: { t: { type: Pipeline } }\n"],
    ["a template of no type", "version: 1\ntemplates: { t: { type: Pipelin, entry: {} } }\n"],
    [
      "several entries where there is no list",
      "version: 1\ntemplates: { t: { type: Pipeline, entries: [] } }\n",
    ],
    ["defaults of no type", "version: 1\ndefaults: { pipelines: {} }\n"],
    ["defaults of no argument", "version: 1\ndefaults: { Pipeline: { refNam: main } }\n"],
    ["a default name", "version: 1\ndefaults: { Pipeline: { name: x } }\n"],
    ["a word of overlays", pipeline("triggerMode: MANUAL, refName: main, $remove: true")],
  ])("is invalid for the schema and the loader: %s", (_name, text) => {
    const { schema, loader } = judged(text);
    expect(loader).toMatch(/workspace\.yaml:\d+:\d+: /);
    expect(schema).toBe(false);
  });
});
