/**
 * Checks that a document becomes declarations, and that these become the same document again, without loss in
 * YAML.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { definitions, type Fields } from "../../provider/index.js";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";
import { formatYaml } from "../../workspace-file/format/format.js";
import { escapePlaceholders } from "../../workspace-file/index.js";
import { type LoadedFile, readDeclarations } from "../../workspace-file/load/load.js";
import { documentOf, documentText } from "../../workspace-file/write/write.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { arbitraryDocument } from "./arbitrary-document.js";

function read(text: string): LoadedFile {
  return readDeclarations("-", { env: {}, stdin: () => text });
}

/** Escapes each `${` in a text that would be read as a placeholder. */
function escaped<T>(value: T): T {
  if (typeof value === "string") return escapePlaceholders(value) as T;
  if (Array.isArray(value)) return value.map(escaped) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escaped(inner)])) as T;
}

const what = ({ declarations }: LoadedFile) =>
  declarations.map(({ definition, name, args, formerNames, retain, protect, after }) => {
    return { type: definition.type, name, args, formerNames, retain, protect, after };
  });

describe("any document", () => {
  const document = arbitraryDocument().map(escaped);
  const parameters = { numRuns: 40, seed: 7, endOnFailure: true };

  it("is restored from its declarations", () => {
    fc.assert(
      fc.property(document, (given) => {
        const declared = read(documentText(given));
        expect(documentOf(declared)).toEqual(given);
      }),
      parameters,
    );
  });

  it("has the same declarations in any YAML style", () => {
    fc.assert(
      fc.property(document, (given) => {
        const declared = what(read(documentText(given)));
        const quoted = { defaultKeyType: "QUOTE_DOUBLE" } as const;
        expect(what(read(stringify(given, quoted)))).toEqual(declared);
        expect(what(read(stringify(given, { ...quoted, collectionStyle: "flow" })))).toEqual(declared);
        expect(what(read(JSON.stringify(given)))).toEqual(declared);
      }),
      parameters,
    );
  });

  it("is written in the format of `fmt`", () => {
    fc.assert(
      fc.property(document, (given) => {
        const text = documentText(given);
        expect(formatYaml("workspace.yaml", text, definitions)).toEqual({ text });
      }),
      parameters,
    );
  });
});

describe("any document composed of parts", () => {
  const document = arbitraryDocument().map(escaped);
  const parameters = { numRuns: 25, seed: 11, endOnFailure: true };
  const folder = temporaryFolder();

  it("equals one that uses templates for its pipelines", () => {
    fc.assert(
      fc.property(document, (given) => {
        const { templated, templates } = withTemplates(given as unknown as Fields);
        const plain = what(read(documentText(given)));
        expect(what(read(JSON.stringify({ ...templated, templates })))).toEqual(plain);
      }),
      parameters,
    );
  });

  it("equals one with parts in an overlay", () => {
    fc.assert(
      fc.property(document, fc.infiniteStream(fc.boolean()), (given, choices) => {
        const [base, over] = split(given as unknown as Fields, choices);
        fileIn(folder, "workspace.eu.yaml", JSON.stringify(over));
        const file = fileIn(folder, "workspace.yaml", JSON.stringify({ ...base, version: 1 }));
        const together = readDeclarations(file, { env: {}, stack: "eu" });
        expect(documentOf(together)).toEqual(given);
      }),
      parameters,
    );
  });
});

/** Returns the document with a separate template for each pipeline. */
function withTemplates(document: Fields): { templated: Fields; templates: Fields } {
  const templates: Record<string, unknown> = {};
  const projects = Object.entries((document["projects"] ?? {}) as Record<string, Fields>);
  const made = projects.map(([key, project]) => {
    const pipelines = Object.entries((project["pipelines"] ?? {}) as Record<string, Fields>);
    const uses = pipelines.map(([name, entry]) => {
      const template = `template-${Object.keys(templates).length}`;
      templates[template] = { type: "Pipeline", entry };
      return [name, { template }];
    });
    return [key, uses.length === 0 ? project : { ...project, pipelines: Object.fromEntries(uses) as Fields }];
  });
  const templated =
    projects.length === 0 ? document : { ...document, projects: Object.fromEntries(made) as Fields };
  return { templated, templates };
}

/** Splits a map into two that together are equal to it; parts below two levels are not split. */
function split(map: Fields, choices: Iterator<boolean>, depth = 2): [Fields, Fields] {
  const [base, over]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [key, value] of Object.entries(map)) {
    if (depth > 0 && typeof value === "object" && value !== null && !Array.isArray(value)) {
      [base[key], over[key]] = split(value as Fields, choices, depth - 1);
    } else if (choices.next().value === true) base[key] = value;
    else over[key] = value;
  }
  return [base, over];
}

describe("the document of a loaded file", () => {
  const text = `version: 1
workspace: acme
members:
  ann@example.com: {}
  bob@example.com: { admin: false }
permissionSets:
  dev: { external: true }
groups:
  QA: { exclusive: true, members: [ann@example.com] }
projects:
  web:
    name: shop
    previously: [old]
    retain: true
    exclusive: true
    members: { ann@example.com: dev, bob@example.com: { permissionSet: dev } }
    variables: { URL: "\${ref:projects/web.httpRepository}", A/B: "1" }
  legacy:
    external: true
    pipelines:
      nightly: { triggerMode: MANUAL, refName: main, refType: BRANCH, actions: [] }
`;
  const found = documentOf(read(text)) as unknown as Record<string, Record<string, Record<string, unknown>>>;

  it("contains external, exclusive, renamed and retained objects", () => {
    expect(found["permissionSets"]).toEqual({ dev: { external: true } });
    expect(found["groups"]).toEqual({ QA: { exclusive: true, members: ["ann@example.com"] } });
    expect(found["projects"]?.["web"]).toEqual({
      name: "shop",
      previously: ["old"],
      retain: true,
      exclusive: true,
      members: { "ann@example.com": "dev", "bob@example.com": "dev" },
      variables: { URL: "${ref:projects/web.httpRepository}", "A/B": "1" },
    });
    expect(found["projects"]?.["legacy"]).toMatchObject({ external: true });
  });

  it("omits default values when pruned", () => {
    const pruned = documentOf(read(text), { prune: true }) as unknown as typeof found;
    expect(pruned["members"]).toEqual({ "ann@example.com": {}, "bob@example.com": {} });
  });

  it("adopts everything if all entries do", () => {
    const document = { version: 1, adopt: true, groups: { QA: {}, Ops: {} } } as unknown as WorkspaceDocument;
    expect(documentOf(read(documentText(document)))).toEqual(document);
  });
});
