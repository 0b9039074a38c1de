/** Rules with expressions in CEL, which files of lint rules and policies have in common. */
import { z } from "zod";
import { choice, text } from "../../resources/definition/primitives.js";
import { formatHint, type PropertyPath } from "../../resources/definition/problems.js";
import {
  createDiagnostic,
  type Diagnostic,
  getLocation,
  getPositionAt,
  type Location,
  type Tree,
} from "../../workspace-file/index.js";
import { type Compile, compileExpression, toValues } from "../../workspace-file/lint/custom/expression.js";
import { createCustomRule, CUSTOM_CODE, type CustomRule } from "../../workspace-file/lint/custom/rule.js";
import { WorkspaceFileError } from "../../workspace-file/load/load.js";
import { objectTypes, WORKSPACE_TYPE } from "../../workspace-file/load/objects-in-file.js";

export const ruleCode = z
  .string()
  .regex(
    CUSTOM_CODE,
    "must be a code with a prefix of your own and in lower case, such as acme/pinned-images",
  );

/** What is said about any rule. */
export const ruleFacts = {
  description: text.describe("What the rule finds, in one sentence."),
  remedy: text.describe("What to do about a finding."),
};

export const ruleSeverity = choice({
  error: "Fails `lint`.",
  warning: "Is reported, and counts for `--max-warnings`.",
  info: "Is reported as a note.",
})
  .optional()
  .describe("How a finding is reported. Default: warning.")
  .meta({ default: "warning" });

const ruleType = z
  .enum(objectTypes)
  .optional()
  .describe("Type of the objects that are checked. Default: Workspace, the file as a whole.")
  .meta({ examples: ["Pipeline"] });

export const ruleMessages = {
  message: text.optional().describe("Message of a finding. Default: the description."),
  messageExpression: text
    .optional()
    .describe("Message of a finding, as a CEL expression that returns a string. Replaces `message`.")
    .meta({ examples: ['"pipeline " + object.name + " tells nobody"'] }),
};

/** Properties of a rule about the document, without its severity. */
export const documentRule = {
  ...ruleFacts,
  type: ruleType,
  when: text
    .optional()
    .describe("Condition in CEL: only objects for which it is true are checked.")
    .meta({ examples: ['object.triggerMode == "SCHEDULED"'] }),
  require: text
    .describe("Condition in CEL that each object must meet.")
    .meta({ examples: ['object.actions.exists(a, a.triggerTime == "ON_FAILURE")'] }),
  ...ruleMessages,
  at: text
    .optional()
    .describe("Argument at which a finding is reported. Default: the object as a whole.")
    .meta({ examples: ["triggerMode"] }),
  secret: z
    .boolean()
    .optional()
    .describe("Whether the value of that argument may be a secret, so that it is not quoted.")
    .meta({ default: false }),
};

interface DocumentRule extends Conditions {
  readonly severity?: z.infer<typeof ruleSeverity>;
  readonly remedy: string;
  readonly type?: string | undefined;
  readonly at?: string | undefined;
  readonly secret?: boolean | undefined;
}

/**
 * Compiles the rules about the document in a part of a file.
 * @throws {WorkspaceFileError} with all problems
 */
export function createDocumentRules(
  rules: Readonly<Record<string, DocumentRule>>,
  part: string,
  tree: Tree,
): CustomRule[] {
  return compileRules(rules, part, tree, compileExpression).map(({ code, rule, messageOf, locate }) => {
    const { severity = "warning", description, remedy, type = WORKSPACE_TYPE, at, secret = false } = rule;
    return createCustomRule({
      code,
      severity,
      description,
      remedy,
      type,
      locate,
      source: tree.at.source,
      check(object) {
        if (at !== undefined && !Object.hasOwn(object.args, at))
          throw new Error(`at: there is no argument "${at}"${formatHint(at, Object.keys(object.args))}`);
        const message = messageOf(toValues(object));
        return message === undefined
          ? []
          : [{ message, secret, ...(at === undefined ? {} : { path: [at] }) }];
      },
    });
  });
}

/** The expressions of a rule. */
interface Conditions {
  readonly description: string;
  readonly when?: string | undefined;
  readonly require: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
}

export interface CompiledRule<R, V> {
  readonly code: string;
  readonly rule: R;
  /** Returns the message of a finding, or undefined when the rule is met. @throws {Error} when an expression fails */
  readonly messageOf: (values: V) => string | undefined;
  /** Returns the location of the rule, or of an error in it. */
  readonly locate: (error?: unknown) => Location;
}

/**
 * Compiles the expressions of rules.
 * @param part key of the rules in the file
 * @throws {WorkspaceFileError} with all problems
 */
export function compileRules<R extends Conditions, V>(
  rules: Readonly<Record<string, R>>,
  part: string,
  tree: Tree,
  compile: Compile<V>,
): CompiledRule<R, V>[] {
  const problems: Diagnostic[] = [];
  const compiled = Object.entries(rules).map(([code, rule]): CompiledRule<R, V> => {
    const placeAt = (path: PropertyPath) =>
      getLocation(getPositionAt(tree, [part, code, ...path], path.length === 0));
    const messageOf = compileRule(rule, compile, (name, reason) => {
      const path = [part, code, name];
      problems.push(
        createDiagnostic(
          getPositionAt(tree, path),
          { code: "lint-rule", message: `"${name}" ${reason}` },
          path,
        ),
      );
    });
    const locate = (error?: unknown) => {
      if (error === undefined) return placeAt([]);
      return placeAt([error instanceof ExpressionFailure ? error.property : "require"]);
    };
    return { code, rule, messageOf, locate };
  });
  const { source } = tree.at;
  if (problems.length > 0) throw new WorkspaceFileError(source.file, problems, source.text);
  return compiled;
}

/** Error of an expression that was evaluated. */
class ExpressionFailure extends Error {
  constructor(
    readonly property: string,
    cause: unknown,
  ) {
    super(getFirstLine(cause), { cause });
  }
}

function compileRule<V>(
  { when = "true", require, message, messageExpression, description }: Conditions,
  compile: Compile<V>,
  report: (property: string, reason: string) => void,
): CompiledRule<Conditions, V>["messageOf"] {
  const compiled = <T extends "bool" | "string">(property: string, text: string, type: T) => {
    try {
      const evaluate = compile(text, type);
      return (values: V) => {
        try {
          return evaluate(values);
        } catch (error) {
          throw new ExpressionFailure(property, error);
        }
      };
    } catch (error) {
      report(property, `is not a valid expression: ${getFirstLine(error)}`);
      return () => undefined;
    }
  };
  const applies = compiled("when", when, "bool");
  const isMet = compiled("require", require, "bool");
  const text =
    messageExpression === undefined
      ? () => message ?? description
      : compiled("messageExpression", messageExpression, "string");
  if (message !== undefined && messageExpression !== undefined)
    report("message", 'excludes "messageExpression": remove one of the two');
  return (values) => (!applies(values) || isMet(values) ? undefined : (text(values) ?? description));
}

function getFirstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
