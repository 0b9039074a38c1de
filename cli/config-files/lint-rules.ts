/** Lint rules of one's own: YAML files with expressions, and modules. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { z } from "zod";
import { choice, text } from "../../provider/definition/primitives.js";
import {
  formatPath,
  hint,
  keysAt,
  problemsOf,
  type PropertyPath,
} from "../../provider/definition/problems.js";
import {
  diagnosticAt,
  locationOf,
  positionAt,
  Source,
  type Diagnostic,
  type Location,
} from "../../workspace-file/index.js";
import {
  compileExpression,
  valuesFor,
  type ExpressionValues,
} from "../../workspace-file/lint/custom/expression.js";
import { objectTypes, WORKSPACE_TYPE } from "../../workspace-file/load/objects.js";
import {
  CUSTOM_CODE,
  customRule,
  type CustomRule,
  type RuleSource,
} from "../../workspace-file/lint/custom/rule.js";
import type { LintRuleDeclaration } from "../../workspace-file/load/define-lint-rule.js";
import { loadModule, ModuleError, placeIn, WorkspaceFileError } from "../../workspace-file/load/index.js";
import { CliError } from "../errors.js";
import { parseFile } from "./parse.js";

const severity = choice({
  error: "Fails `lint`.",
  warning: "Is reported, and counts for `--max-warnings`.",
  info: "Is reported as a remark.",
});
const code = z
  .string()
  .regex(CUSTOM_CODE, "must have a prefix of your own and be in lower case, such as acme/pinned-images");
const facts = {
  severity: severity
    .optional()
    .describe("How a finding is reported. Default: warning.")
    .meta({ default: "warning" }),
  description: text.describe("What the rule finds, in one sentence."),
  remedy: text.describe("What to do about a finding."),
  type: z
    .enum(objectTypes)
    .optional()
    .describe("Type of the objects that are checked. Default: Workspace, the file as a whole.")
    .meta({ examples: ["Pipeline"] }),
};

export const lintRulesSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    rules: z
      .record(
        code,
        z.strictObject({
          ...facts,
          when: text
            .optional()
            .describe("Condition in CEL: only objects for which it is true are checked.")
            .meta({ examples: ['object.triggerMode == "SCHEDULED"'] }),
          require: text
            .describe("Condition in CEL that each object must meet.")
            .meta({ examples: ['object.actions.exists(a, a.triggerTime == "ON_FAILURE")'] }),
          message: text.optional().describe("Message of a finding. Default: the description."),
          messageExpression: text
            .optional()
            .describe("Message of a finding, as a text in CEL. Replaces `message`.")
            .meta({ examples: ['"pipeline " + object.name + " tells nobody"'] }),
          at: text
            .optional()
            .describe("Argument at which a finding is reported. Default: the object as a whole.")
            .meta({ examples: ["triggerMode"] }),
          secret: z
            .boolean()
            .optional()
            .describe("Whether the value of that argument may be a secret, so that it is not quoted.")
            .meta({ default: false }),
        }),
      )
      .describe("The rules, by their codes."),
  })
  .meta({
    title: "Lint rules",
    description: "Rules for `workspacectl lint --rules`, with expressions in CEL.",
  });

type WrittenRule = z.infer<typeof lintRulesSchema>["rules"][string];

const moduleRule = z.strictObject({
  ...facts,
  code,
  check: z.custom((value) => typeof value === "function", "must be a function"),
});

const CASES = /\.cases\.ya?ml$/;
const YAML_FILE = /\.ya?ml$/;
const MODULE = /(?<!\.d)\.[cm]?[jt]s$/;

/** Returns the files of a folder that contain rules, or cases of them. Hidden files and folders are left out. */
export function ruleFilesIn(folder: string): { readonly rules: string[]; readonly cases: string[] } {
  const files = readdirSync(folder)
    .filter((name) => !name.startsWith(".") && (YAML_FILE.test(name) || MODULE.test(name)))
    .toSorted()
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
  return {
    rules: files.filter((file) => !CASES.test(file)),
    cases: files.filter((file) => CASES.test(file)),
  };
}

/**
 * Reads the rules of files and folders. Runs the modules among them.
 * @throws {WorkspaceFileError} with all problems of a file, {CliError} when there is none
 */
export function readRules(paths: readonly string[]): CustomRule[] {
  const files = paths.flatMap((path) => {
    if (!existsSync(path))
      throw new CliError(`there is no ${path}: name a folder with lint rules, or a file of them`);
    if (!statSync(path).isDirectory()) return [path];
    const { rules } = ruleFilesIn(path);
    if (rules.length > 0) return rules;
    throw new CliError(
      `${path} contains no lint rules: put a file such as rules.yaml into it (docs/lint-rules.md)`,
    );
  });
  const known = new Map<string, CustomRule>();
  for (const { rule, source } of [...new Set(files)].flatMap(rulesOf)) {
    const other = known.get(rule.code)?.place;
    const message = `${rule.code} is declared twice: give this rule, or the one in ${other?.file ?? ""}, another code`;
    if (other)
      throw new WorkspaceFileError(
        source.file,
        [{ place: rule.place, code: "declared-twice", message }],
        source.text,
      );
    known.set(rule.code, rule);
  }
  return [...known.values()];
}

interface Read {
  readonly rule: CustomRule;
  readonly source: Source;
}

function rulesOf(file: string): Read[] {
  if (MODULE.test(file)) return rulesOfModule(file);
  if (YAML_FILE.test(extname(file))) return rulesOfYaml(file);
  throw new CliError(`${file} is no file of lint rules: it must be YAML, TypeScript or JavaScript`);
}

function rulesOfYaml(file: string): Read[] {
  const { data, tree } = parseFile(lintRulesSchema, file, readFileSync(file, "utf8"));
  const { source } = tree.at;
  const problems: Diagnostic[] = [];
  const rules = Object.entries(data.rules).map(([code, written]): Read => {
    const placeAt = (path: PropertyPath) =>
      locationOf(positionAt(tree, ["rules", code, ...path], path.length === 0));
    const check = checkOf(written, (name, reason) => {
      const path = ["rules", code, name];
      problems.push(
        diagnosticAt(positionAt(tree, path), { code: "lint-rule", message: `${name} ${reason}` }, path),
      );
    });
    const placeOf = (error?: unknown) => {
      if (error === undefined) return placeAt([]);
      return placeAt([error instanceof ExpressionFailure ? error.property : "require"]);
    };
    return { source, rule: customRule({ ...described({ ...written, code }), check, source, placeOf }) };
  });
  if (problems.length > 0) throw new WorkspaceFileError(file, problems, source.text);
  return rules;
}

/** Error of an expression that was evaluated. */
class ExpressionFailure extends Error {
  constructor(
    readonly property: string,
    cause: unknown,
  ) {
    super(firstLine(cause), { cause });
  }
}

/** Compiles the expressions of a rule. */
function checkOf(
  { when = "true", require, message, messageExpression, at, secret = false, description }: WrittenRule,
  report: (property: string, reason: string) => void,
): RuleSource["check"] {
  const compiled = <T extends "bool" | "string">(property: string, text: string, type: T) => {
    try {
      const evaluate = compileExpression(text, type);
      return (values: ExpressionValues) => {
        try {
          return evaluate(values);
        } catch (error) {
          throw new ExpressionFailure(property, error);
        }
      };
    } catch (error) {
      report(property, `cannot be read: ${firstLine(error)}`);
      return () => undefined;
    }
  };
  const applies = compiled("when", when, "bool");
  const isMet = compiled("require", require, "bool");
  const messageOf =
    messageExpression === undefined
      ? () => message ?? description
      : compiled("messageExpression", messageExpression, "string");
  if (message !== undefined && messageExpression !== undefined)
    report("message", "and messageExpression exclude each other");
  return (object) => {
    const values = valuesFor(object);
    if (at !== undefined && !Object.hasOwn(object.args, at))
      throw new Error(`at: there is no argument "${at}"${hint(at, Object.keys(object.args))}`);
    if (!applies(values) || isMet(values)) return [];
    return [
      { message: messageOf(values) ?? description, secret, ...(at === undefined ? {} : { path: [at] }) },
    ];
  };
}

function rulesOfModule(file: string): Read[] {
  const source = new Source(file, readFileSync(file, "utf8"));
  const start = { file, line: 1, column: 1 };
  const failed = (place: Location, message: string) =>
    new WorkspaceFileError(file, [{ place, code: "lint-rule", message }], source.text);
  let exported: unknown;
  try {
    exported = loadModule(file).value;
  } catch (error) {
    throw error instanceof ModuleError ? failed(error.place, error.reason) : error;
  }
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  return list.map((one, index) => {
    const parsed = moduleRule.safeParse(one, { reportInput: true });
    if (!parsed.success) {
      const [problem] = problemsOf(parsed.error, (path) => keysAt(moduleRule, path));
      const where = formatPath([...(list.length > 1 ? [index] : []), ...(problem?.path ?? [])]);
      const form = "write `export default defineLintRule({ code, description, remedy, check })`";
      throw failed(
        start,
        `the default export is no lint rule (${where}: ${problem?.message ?? ""}): ${form}`,
      );
    }
    const { check, ...declared } = parsed.data;
    const placeOf = (error?: unknown) => ({ file, ...placeIn(file, error) });
    const run = check as LintRuleDeclaration["check"];
    return { source, rule: customRule({ ...described(declared), check: run, source, placeOf }) };
  });
}

function described(written: Pick<z.infer<typeof moduleRule>, "code" | keyof typeof facts>) {
  const { code, severity = "warning", description, remedy, type = WORKSPACE_TYPE } = written;
  return { code, severity, description, remedy, type };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
