/**
 * Tests references to secrets from the workspace file to the request. Each text is composed at random of pieces that could make a
 * reference together. The model knows only which placeholders stand in one text of a source.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileProgram } from "../../automation/host/file-program.js";
import { asSecret, withoutMarks } from "../../diff/values.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { Session } from "../../provider/connection/session.js";
import { buildReferringInputs, SECRET_REFERENCES } from "../../provider/index.js";
import type { SecretReference } from "../../trust/references.js";
import { type LoadOptions, renderComposed } from "../../workspace-file/load/load.js";
import { providerIn } from "../provider/engine.js";
import { Files } from "./document-files.js";

const SPLICED = "secret:env:TOKEN}";

/** Values that would make references if they were read again. */
const values: Readonly<Record<string, string>> = {
  "env X": "{secret:env:TOKEN}",
  "env Y": "${secret:env:TOKEN}",
  "env Z": "$",
  "file x.txt": "{secret:env:TOKEN}",
  "file y.txt": "a ${secret:file:key.txt} $${",
  "config x": "${secret:config:key}",
};
const secrets: Readonly<Record<string, string>> = {
  "env TOKEN": "s3cret-of-environment ${secret:env:OTHER}",
  "file key.txt": "s3cret-of-file",
  "config key": "s3cret-of-configuration",
};

const fragments = [
  ...["$", "$$", "{", "}", "a", "[secret]", "${", "$${", "secret:", "env:X", SPLICED, `{${SPLICED}`],
  ...["${env:NOPE:-$}", "${env:X}", "${env:Y}", "${env:Z}", "${file:x.txt}", "${file:y.txt}", "${config:x}"],
  ...[
    "${secret:env:TOKEN}",
    "${secret:file:key.txt}",
    "${secret:config:key}",
    "${env:NOPE:-$$}",
    "${env:NOPE:-}",
  ],
];
const text = fc.array(fc.constantFrom(...fragments), { maxLength: 6 }).map((parts) => parts.join(""));
const body = fc
  .array(fc.constantFrom(...fragments, "${param:p}", "${param:p}", "${param:q}"), { maxLength: 6 })
  .map((parts) => parts.join(""));

type Part = string | SecretReference;
type Parameters = Readonly<Record<string, readonly Part[]>>;

/** Thrown for a text with something that is not one of the placeholders above, and so is an error of the file. */
class Invalid extends Error {}

/** Returns what a text of a source means. */
function meaning(source: string, parameters: Parameters = {}): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at);
    const placeholder = /^\$\{([a-z]+):([^}]*)\}/.exec(rest);
    const escaped = /^\$(\$\{[a-z]+:[^}]*\})/.exec(rest);
    if (escaped) parts.push(escaped[1] ?? "");
    else if (placeholder) parts.push(...partsFor(placeholder[1] ?? "", placeholder[2] ?? "", parameters));
    else parts.push(rest.charAt(0));
    at += (escaped ?? placeholder)?.[0].length ?? 1;
  }
  return parts;
}

function partsFor(kind: string, named: string, parameters: Parameters): readonly Part[] {
  const [name = "", otherwise] = named.split(":-");
  const [origin, of] = [/^\w+/.exec(named)?.[0], named.slice(named.indexOf(":") + 1)];
  if (kind === "param" && parameters[named]) return parameters[named];
  if (kind === "secret" && `${origin} ${of}` in secrets) return [{ origin, name: of } as SecretReference];
  const value = values[`${kind} ${named}`] ?? (kind === "env" && name === "NOPE" ? otherwise : undefined);
  if (value === undefined) throw new Invalid();
  return [value];
}

const isReference = (part: Part) => typeof part !== "string";
const openedIn = (parts: readonly Part[]) =>
  parts.filter(isReference).map((one) => `${one.origin} ${one.name}`);
const sentFor = (parts: readonly Part[]) =>
  parts.map((part) => (typeof part === "string" ? part : secrets[`${part.origin} ${part.name}`])).join("");

/** A description that is composed in one of several ways. */
interface Composition {
  readonly files: Record<string, string>;
  /** What it means. */
  readonly parts: readonly Part[];
}

const quoted = (part: unknown) => JSON.stringify(part);
const group = (entry: object) => `groups:\n  g: ${quoted(entry)}\n`;
const template = (name: string, entry: object, parameters: object) =>
  `  ${name}: ${quoted({ type: "Group", parameters, entry })}\n`;

const compositions: Readonly<Record<string, (one: string, two: string, three: string) => Composition>> = {
  "as it is": (one) => ({ files: { "workspace.yaml": group({ description: one }) }, parts: meaning(one) }),
  "from an include": (one) => ({
    files: { "workspace.yaml": "include: [more.yaml]\n", "more.yaml": group({ description: one }) },
    parts: meaning(one),
  }),
  "from defaults": (one) => ({
    files: { "workspace.yaml": `defaults: { Group: ${quoted({ description: one })} }\n${group({})}` },
    parts: meaning(one),
  }),
  "from an overlay": (one, two) => ({
    files: {
      "workspace.yaml": group({ description: one }),
      "workspace.eu.yaml": group({ description: two }),
    },
    parts: (meaning(one), meaning(two)),
  }),
  "from a template": (one, two, three) => ({
    files: {
      "workspace.yaml": `templates:\n${template("t", { description: one }, { p: {}, q: { default: three } })}${group({ template: "t", with: { p: two } })}`,
    },
    parts: meaning(one, { p: meaning(two), q: meaning(three) }),
  }),
  "from a template in a template": (one, two, three) => ({
    files: {
      "workspace.yaml": `templates:\n${template("t", { description: one }, { p: {}, q: {} })}${template("u", { template: "t", with: { p: two, q: "${param:p}" } }, { p: {}, q: { default: "$" } })}${group({ template: "u", with: { p: three } })}`,
    },
    parts: meaning(one, { p: meaning(two, { p: meaning(three), q: ["$"] }), q: meaning(three) }),
  }),
};
const anyComposition = fc
  .record({ how: fc.constantFrom(...Object.keys(compositions)), one: body, two: body, three: text })
  .map(({ how, one, two, three }) => {
    try {
      return { how, ...compositions[how]!(one, two, three) };
    } catch (error) {
      if (error instanceof Invalid) return undefined;
      throw error;
    }
  })
  .filter((made) => made !== undefined);

const key = ({ origin, name }: SecretReference) => `${origin} ${name}`;

/** The environment of the process, in which a wrong reference would find something. */
const env = {
  ...Object.fromEntries(
    Object.entries({ ...values, ...secrets }).flatMap(([name, value]) =>
      name.startsWith("env ") ? [[`WORKSPACE_VAR_${name.slice(4)}`, value] as const] : [],
    ),
  ),
  WORKSPACE_VAR_OTHER: "s3cret-other",
};

const config = (name: string) => {
  const value = values[`config ${name}`] ?? secrets[`config ${name}`];
  return value === undefined ? undefined : { value, secret: false };
};

let emulator: Emulator;
let session: Session;

beforeAll(async () => {
  emulator = await startEmulator();
  const { baseUrl, token, workspace } = emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  session = new Session(connection, { config: (name) => config(name)?.value, env });
});
afterAll(() => emulator.close());

/** Sends the group of a file as a run of the engine does. Returns its description, and the references that it has. */
async function send(files: Files): Promise<{ description: unknown; opened: string[] }> {
  const { baseUrl, token, workspace } = emulator;
  const program = createFileProgram({
    file: `${files.folder}/workspace.yaml`,
    project: "acme",
    engine: "dynamic",
    reading: { env },
    connection: { baseUrl, token, workspace, allowInsecure: false },
  });
  const declared = program.declare({ stack: "eu", config });
  const { name, args, secrets: hidden, references } = declared[0]!;
  const opened = Object.values(references).flatMap((one) => one.references.map(key));
  const marked = Object.entries(args).map(([arg, value]) => [
    arg,
    hidden.includes(arg) ? asSecret(value) : value,
  ]);
  const inputs = { ...(Object.fromEntries(marked) as object), ...buildReferringInputs(references) };
  const provider = providerIn(
    session,
    "Group",
    { env, print: () => undefined, references: program.references },
    `urn:pulumi:eu::acme::pulumi-nodejs:dynamic/workspace-automation:Group::${name}`,
  );
  const checked = await provider.check({}, inputs);
  expect(checked.failures).toEqual([]);
  const { id, outs } = await provider.create(checked.inputs);
  // What the state keeps has no secret, and the next run changes nothing.
  if (opened.length > 0) expect(JSON.stringify(withoutMarks(outs))).not.toContain("s3cret-");
  expect(await provider.diff(id, outs, checked.inputs)).toMatchObject({ changes: false });
  const seen = await session.context({}).api.groups.get(emulator.workspace, Number(id.split("/").at(-1)));
  await provider.delete(id, outs);
  return { description: seen.description, opened };
}

describe("a text that is composed", () => {
  it("has exactly the references that its sources have, and arrives as they say", async () => {
    const made: Record<string, number> = {};
    let references = 0;
    await fc.assert(
      fc.asyncProperty(anyComposition, async ({ how, files: written, parts }) => {
        const files = new Files();
        files.write({ ...written, "x.txt": values["file x.txt"]!, "y.txt": values["file y.txt"]! });
        files.write({ "key.txt": secrets["file key.txt"]! });
        const { description, opened } = await send(files);
        expect(opened.toSorted()).toEqual(openedIn(parts).toSorted());
        expect(description ?? "").toBe(sentFor(parts));
        made[how] = (made[how] ?? 0) + 1;
        references += opened.length;
      }),
      { numRuns: 300 },
    );
    // The property says something about each way to compose.
    expect(Object.keys(made).toSorted()).toEqual(Object.keys(compositions).toSorted());
    expect(references).toBeGreaterThan(20);
  });

  it("is rendered as a file that means the same", () => {
    fc.assert(
      fc.property(anyComposition, ({ files: written, parts }) => {
        const files = new Files();
        const more = { "x.txt": "x", "y.txt": "y", "key.txt": "key" };
        files.write({ ...written, ...more });
        const shown = renderComposed(files.read("workspace.yaml", { env, config, stack: "eu" }));
        files.write({ "again.json": JSON.stringify(shown) });
        const again = files.read("again.json", { env, config });
        const [declaration] = again.declarations;
        const opened = Object.values(declaration?.references ?? {}).flatMap((one) => one.references.map(key));
        // A text that no file can express is masked.
        const isMasked = declaration?.args["description"] === "[secret]";
        expect(opened.toSorted()).toEqual(isMasked ? [] : openedIn(parts).toSorted());
      }),
      { numRuns: 300 },
    );
  });
});

describe("a reference", () => {
  const files = new Files();
  const read = (text_: string, more: Record<string, string> = {}, options: LoadOptions = {}) => {
    files.write({ "workspace.yaml": text_, "key.txt": "s3cret", ...more });
    return files.read("workspace.yaml", { env, config, ...options });
  };
  const action = (args: object) =>
    `projects: { web: { pipelines: { deploy: { triggerMode: MANUAL, refName: main, actions: [${quoted({ name: "A", triggerTime: "ON_EVERY_EXECUTION", ...args })}] } } } }\n`;
  const referencesOf = (declared: ReturnType<typeof read>) => declared.declarations.at(-1)?.references;

  it("is found in passed-through values, and no data of theirs imitates it", () => {
    const imitation = {
      [SECRET_REFERENCES]: { fields: [{ at: ["token"], offset: 0, origin: "env", name: "OTHER" }] },
    };
    const fields = {
      token: "[secret]",
      nested: [{ value: "Bearer ${secret:env:TOKEN}" }, { ...imitation, __secretReferences: ["fields"] }],
      at: [{ origin: "env", name: "OTHER", offset: 0, at: [] }],
    };
    const declared = read(action({ type: "SOMETHING_NEW", fields }));
    const of = declared.declarations.find(({ name }) => name.endsWith("/A"));
    expect(of?.references["fields"]?.references).toEqual([
      { at: ["nested", 0, "value"], offset: 7, origin: "env", name: "TOKEN" },
    ]);
    expect(Object.keys(of?.references ?? {})).toEqual(["fields"]);
  });

  it("cannot be written as a property of an entry", () => {
    for (const entry of [
      { [SECRET_REFERENCES]: { description: [] } },
      { [SECRET_REFERENCES]: ["description"] },
    ]) {
      files.write({ "workspace.yaml": group(entry) });
      expect(files.wrong()).toEqual([expect.stringContaining(`unknown property "${SECRET_REFERENCES}"`)]);
    }
  });

  it("names a file as the document does, from wherever it is included", () => {
    files.write({ "teams/keys/a.txt": "s3cret" });
    read("include: [teams/a.yaml]\n", {
      "teams/a.yaml": group({ description: "${secret:file:keys/a.txt}" }),
    });
    expect(referencesOf(files.read())).toMatchObject({
      description: { references: [{ origin: "file", name: "teams/keys/a.txt" }] },
    });
    const declared = files.read();
    expect(declared.secretFile("teams/keys/a.txt")).toBe("s3cret");
    expect(declared.secretFile("teams/keys/b.txt")).toBeUndefined();
  });

  it("in a parameter is relative to the file that contains it", () => {
    const declared = read(
      `include: [teams/b.yaml]\ntemplates:\n${template("t", { description: "x ${param:p}" }, { p: {} })}`,
      { "teams/b.yaml": group({ template: "t", with: { p: "${secret:file:keys/a.txt}" } }) },
    );
    expect(referencesOf(declared)).toMatchObject({
      description: { references: [{ origin: "file", name: "teams/keys/a.txt", offset: 2 }] },
    });
  });

  it("is none where the value must be known", () => {
    const descriptions = {
      "a default": "${secret:env:NOPE:-x}",
      "an output next to it": "${secret:env:TOKEN} ${ref:groups/h.name}",
    };
    for (const description of Object.values(descriptions)) {
      files.write({ "workspace.yaml": `groups:\n  g: ${quoted({ description })}\n  h: {}\n` });
      const declared = files
        .read("workspace.yaml", { env })
        .declarations.find(({ name }) => name === "groups/g");
      expect(declared?.references).toEqual({});
      expect(declared?.secrets).toEqual(["description"]);
    }
  });

  it("that another object reads as an output must have its value now", () => {
    const written =
      'groups:\n  g: { description: "${secret:env:ABSENT}" }\n  h: { description: "${ref:groups/g.description}" }\n';
    files.write({ "workspace.yaml": written });
    expect(files.wrong("workspace.yaml", { env, secretsLater: true })).toEqual([
      expect.stringContaining("ABSENT is not set"),
    ]);
  });
});
