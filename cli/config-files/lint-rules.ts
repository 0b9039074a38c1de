/** Lint rules of one's own: YAML files with expressions, and modules. */
import { existsSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { z } from "zod";
import { formatPath, keysAt, problemsOf } from "../../provider/definition/problems.js";
import { Source, type Location } from "../../workspace-file/index.js";
import { WORKSPACE_TYPE } from "../../workspace-file/load/objects.js";
import { customRule, type CustomRule, type RuleSource } from "../../workspace-file/lint/custom/rule.js";
import type { LintRuleDeclaration } from "../../workspace-file/load/define-lint-rule.js";
import { loadModule, ModuleError, placeIn, WorkspaceFileError } from "../../workspace-file/load/index.js";
import { listFolder, readText } from "../../trust/files.js";
import { CliError } from "../errors.js";
import {
  documentRule,
  documentRules,
  ruleCode,
  ruleFacts,
  ruleSeverity,
  ruleType,
} from "./expression-rules.js";
import { parseFile } from "./parse.js";

export const lintRulesSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    rules: z
      .record(ruleCode, z.strictObject({ severity: ruleSeverity, ...documentRule }))
      .describe("The rules, by their codes."),
  })
  .meta({
    title: "Lint rules",
    description: "Rules for `workspacectl lint --rules`, with expressions in CEL.",
  });

const moduleRule = z.strictObject({
  severity: ruleSeverity,
  ...ruleFacts,
  type: ruleType,
  code: ruleCode,
  check: z.custom((value) => typeof value === "function", "must be a function"),
});

const CASES = /\.cases\.ya?ml$/;
const YAML_FILE = /\.ya?ml$/;
const MODULE = /(?<!\.d)\.[cm]?[jt]s$/;

/** Returns the files of a folder that contain rules, or cases of them. Hidden files and folders are left out. */
export function ruleFilesIn(folder: string): { readonly rules: string[]; readonly cases: string[] } {
  const files = listFolder(folder, { named: true })
    .filter((name) => !name.startsWith(".") && (YAML_FILE.test(name) || MODULE.test(name)))
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
  const { data, tree } = parseFile(lintRulesSchema, file, readText(file, { named: true }));
  const { source } = tree.at;
  return documentRules(data.rules, "rules", tree).map((rule) => ({ rule, source }));
}

function rulesOfModule(file: string): Read[] {
  const source = new Source(file, readText(file, { named: true }));
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

function described(
  written: Pick<z.infer<typeof moduleRule>, "code" | "severity" | "description" | "remedy" | "type">,
): Pick<RuleSource, "code" | "severity" | "description" | "remedy" | "type"> {
  const { code, severity = "warning", description, remedy, type = WORKSPACE_TYPE } = written;
  return { code, severity, description, remedy, type };
}
