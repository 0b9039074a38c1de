/**
 * Validators of other languages judge the examples of the project, and documents with planted faults, as ajv does and, where a schema can
 * see a fault, as `validate` does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { draft07Of } from "../../scripts/draft-07.mjs";
import { readDeclarations, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { randomOf } from "../chaos/random.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { ForeignPrograms } from "../foreign-programs.js";
import { plantFault } from "./planted-faults.js";

const programs = new ForeignPrograms("validators");
const missing = programs.missing();
const SEED = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
const FAULTS = 60;
const folder = temporaryFolder();

/** Faults that no schema sees: rules across arguments and entries, and (with defaults) what another part of the file may set. */
const ONLY_CODE = ["unknown-name", "conflict", "required", "wrong-format"];

const schemas = readdirSync("schema").filter(
  (name) => name.endsWith(".schema.json") && !name.startsWith("pulumi."),
);
const readSchema = (name: string) => readFileSync(join("schema", name), "utf8");
const readYaml = (file: string): unknown => parse(readFileSync(file, "utf8"), { merge: true });

/** Replaces the contents of other files, which are not beside a document with a fault. */
const withoutFiles = (document: unknown) =>
  JSON.parse(JSON.stringify(document).replaceAll(/\$\{file:[^}]*\}/g, "a text")) as unknown;

/** Lists the files of the examples with the schema that their first line names. */
function listExamples(): { readonly file: string; readonly schema: string }[] {
  return readdirSync("examples", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$/.test(name) && !name.includes("node_modules"))
    .map((name) => join("examples", name))
    .flatMap((file) => {
      const [, schema] = /\$schema=\S*\/([a-z-]+\.schema\.json)/.exec(readFileSync(file, "utf8")) ?? [];
      return schema === undefined ? [] : [{ file, schema }];
    });
}

/** Returns the codes of the problems that `validate` finds in a document. */
function listCodes(document: unknown): string[] {
  try {
    readDeclarations(fileIn(folder, "workspace.yaml", stringify(document)), { env: {}, mock: true });
    return [];
  } catch (error) {
    if (error instanceof WorkspaceFileError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

interface Judged {
  readonly what: string;
  readonly document: unknown;
  readonly codes: readonly string[];
}

/** Plants faults until `validate` refuses as many as are wanted. What it accepts is judged too. */
function plantFaults(): Judged[] {
  const random = randomOf(SEED);
  const originals = [
    "test/workspace-file/sample.yaml",
    ...listExamples()
      .filter(({ schema }) => schema === "workspace.schema.json")
      .map(({ file }) => file),
  ]
    .map((file) => ({ file, document: withoutFiles(readYaml(file)) }))
    // `validate` does not look into a template that no entry uses.
    .filter(
      ({ document }) => !Object.hasOwn(document as object, "templates") && listCodes(document).length === 0,
    );
  const found: Judged[] = [];
  while (found.filter(({ codes }) => codes.length > 0).length < FAULTS) {
    const { file, document } = random.pick(originals);
    const planted = plantFault(document, random);
    found.push({
      what: `${file}: ${planted.fault}`,
      document: planted.document,
      codes: listCodes(planted.document),
    });
  }
  return found;
}

describe.skipIf(missing !== undefined)(
  `other validators${missing === undefined ? "" : ` (${missing})`}`,
  () => {
    it("judge the examples and planted faults as we do", async () => {
      const named = programs.listPins("docs/editors.md");
      process.stdout.write(`${named.join(", ")} (SEED=${SEED})\n`);
      expect(named).toHaveLength(5);
      const examples = listExamples();
      const planted = plantFaults();
      const questions = schemas.map((name) => {
        const text = readSchema(name);
        const fitting: Judged[] = examples
          .filter(({ schema }) => schema === name)
          .map(({ file }) => ({ what: file, document: readYaml(file), codes: [] }));
        const judged = name === "workspace.schema.json" ? [...fitting, ...planted] : fitting;
        return {
          name,
          judged,
          schema: JSON.parse(text) as object,
          draft07: JSON.parse(draft07Of(text)) as object,
        };
      });
      const ask = await programs.prepare();
      const answers = await ask({
        questions: questions.map(({ judged, schema, draft07 }) => ({
          schema,
          draft07,
          documents: judged.map(({ document }) => document),
        })),
      });
      expect(Object.keys(answers)).toHaveLength(5);

      const onlyCode: Judged[] = [];
      for (const [at, { name, judged, schema }] of questions.entries()) {
        const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
        const ours = judged.map(({ document }) => validate(document));
        for (const [validator, all] of Object.entries(answers)) {
          const theirs = all[at];
          if (!Array.isArray(theirs)) expect(theirs, `${validator} compiles ${name}`).toEqual([]);
          else
            expect(
              judged.flatMap(({ what }, index) =>
                theirs[index] === ours[index] ? [] : [`${what}: ${String(theirs[index])}`],
              ),
              `${validator} and ${name} (SEED=${SEED})`,
            ).toEqual([]);
        }
        for (const [index, one] of judged.entries()) {
          if (one.codes.length === 0) expect(ours[index], `${one.what} is valid (SEED=${SEED})`).toBe(true);
          else if (ours[index]) onlyCode.push(one);
        }
      }
      process.stdout.write(`Seen by validate only: ${onlyCode.length} of ${FAULTS} faults\n`);
      for (const { what, codes } of onlyCode) process.stdout.write(`  ${what}: ${codes.join(", ")}\n`);
      const unexpected = onlyCode.filter(({ codes, document }) => {
        const hasDefaults = Object.hasOwn(document as object, "defaults");
        return !codes.some(
          (code) => ONLY_CODE.includes(code) || (hasDefaults && code === "not-allowed-value"),
        );
      });
      expect(unexpected.map(({ what, codes }) => ({ what, codes }))).toEqual([]);
    });
  },
);
