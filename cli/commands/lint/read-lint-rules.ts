/** Lint rules of one's own: YAML files with expressions. */
import { existsSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { z } from "zod";
import { parseFile } from "../../../automation/config-files/checked-files.js";
import {
  createDocumentRules,
  documentRule,
  ruleCode,
  ruleSeverity,
} from "../../../automation/config-files/expression-rules.js";
import { AutomationError } from "../../../automation/errors.js";
import { listFolder, readText } from "../../../trust/checkout-files.js";
import type { Source } from "../../../workspace-file/index.js";
import type { CustomRule } from "../../../workspace-file/lint/custom/rule.js";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";

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

const YAML_FILE = /\.ya?ml$/;
const MODULE = /(?<!\.d)\.[cm]?[jt]s$/;

/** Returns the files of a folder that contain rules. Hidden files and folders are omitted. */
function listRuleFiles(folder: string): string[] {
  return listFolder(folder, { named: true })
    .filter((name) => !name.startsWith(".") && (YAML_FILE.test(name) || MODULE.test(name)))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/**
 * Reads the rules of files and folders.
 * @throws {WorkspaceFileError} with all problems of a file, {AutomationError} when there is none
 */
export function readRules(paths: readonly string[]): CustomRule[] {
  const files = paths.flatMap((path) => {
    if (!existsSync(path))
      throw new AutomationError(
        `there is no file or folder ${path} with lint rules`,
        "correct the path after --rules",
      );
    if (!statSync(path).isDirectory()) return [path];
    const rules = listRuleFiles(path);
    if (rules.length > 0) return rules;
    throw new AutomationError(
      `${path} contains no lint rules`,
      "put a file such as rules.yaml into it (docs/lint-rules.md)",
    );
  });
  const known = new Map<string, CustomRule>();
  for (const { rule, source } of [...new Set(files)].flatMap(readRulesIn)) {
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

/** @throws {AutomationError} for a module too: rules that do not run would look like rules that find nothing */
function readRulesIn(file: string): Read[] {
  if (!YAML_FILE.test(extname(file)))
    throw new AutomationError(
      `${file} is not a lint rule file`,
      "write the rules in a .yaml file, with conditions in CEL (docs/lint-rules.md), or move this file elsewhere",
    );
  const { data, tree } = parseFile(lintRulesSchema, file, readText(file, { named: true }));
  const { source } = tree.at;
  return createDocumentRules(data.rules, "rules", tree).map((rule) => ({ rule, source }));
}
