/** Lint rules of one's own, which run like the built-in ones. */
import { maskTexts } from "../../../client/index.js";
import type { PropertyPath } from "../../../resources/definition/problems.js";
import { WorkspaceFileError } from "../../load/errors.js";
import { type ObjectInFile, withDescendants } from "../../load/objects-in-file.js";
import type { Location, Source } from "../../syntax/source.js";
import { findPartAt } from "../../syntax/tree.js";
import type { RuleFinding } from "../finding.js";
import type { Linted } from "../lint-document.js";
import type { LintRuleFacts, Rule } from "../rule.js";
import { runWithinTime } from "./time-limit.js";

/** Longest time for one rule and one document. */
const SECONDS = 5;

/** What a rule finds in an object. */
interface LintRuleFinding {
  readonly message: string;
  /** Path in the arguments. Default: the object as a whole. */
  readonly path?: PropertyPath;
  /** Whether the value there is a secret, so that messages do not quote it. */
  readonly secret?: boolean;
}

/** What checks an object, and where its text is. */
export interface RuleSource extends LintRuleFacts {
  /** Type of the objects that are checked. */
  readonly type: string;
  readonly check: (object: ObjectInFile) => readonly LintRuleFinding[];
  /** File of the rule. */
  readonly source: Source;
  /** Returns the location of the rule, or of an error in it. */
  readonly locate: (error?: unknown) => Location;
}

/** Rule with a code of the user's own. */
export interface CustomRule extends Rule {
  readonly place: Location;
}

/** Codes of rules of one's own have a prefix, so that they never equal a built-in one of this release or a later one. */
export const CUSTOM_CODE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export function isCustomCode(code: string): boolean {
  return code.includes("/");
}

export function createCustomRule(from: RuleSource): CustomRule {
  const { code, severity, description, remedy, locate } = from;
  const check = (linted: Linted) => listFindings(from, linted);
  return { code, severity, description, remedy, place: locate(), check };
}

/** @throws {WorkspaceFileError} when the rule fails, naming the rule and the object */
function listFindings(rule: RuleSource, linted: Linted): RuleFinding[] {
  let current: ObjectInFile | undefined;
  const work = () => {
    const found: RuleFinding[] = [];
    for (const object of withDescendants(linted.workspace)) {
      if (object.type !== rule.type || object.external) continue;
      current = object;
      for (const finding of rule.check(object)) found.push(placeFinding(finding, object, linted));
    }
    return found;
  };
  try {
    return runWithinTime(SECONDS * 1000, work);
  } catch (error) {
    const on = current === undefined || current.name === "" ? "the workspace" : current.name;
    const message = maskTexts(describeRuleFailure(rule.code, on, error), linted.secretTexts());
    const { file, text } = rule.source;
    throw new WorkspaceFileError(file, [{ place: rule.locate(error), code: "lint-rule", message }], text);
  }
}

function placeFinding(finding: LintRuleFinding, object: ObjectInFile, linted: Linted): RuleFinding {
  const { message, path = [], secret = false } = finding;
  const at = object.pathOf(path);
  const hides = secret ? linted.rangesAt(at) : [];
  // What is not written is at the key of the object.
  const isWritten = path.length > 0 && findPartAt(linted.tree, at) !== undefined;
  return { message, hides, at: isWritten ? { path: at } : { path: object.path, atKey: true } };
}

/** Says that the expressions of a rule failed for an object. */
export function describeRuleFailure(code: string, on: string, error: unknown): string {
  const message = error instanceof Error ? error.message : `it throws ${String(error)}`;
  const [reason = message] = message.split("\n");
  const remedy = reason.startsWith("No such key")
    ? "Ask with has() first whether it exists, or correct its name"
    : "Correct the rule";
  return `the rule ${code} cannot be evaluated for ${on}: ${reason}${/[.?!]$/.test(reason) ? "" : "."} ${remedy}`;
}
