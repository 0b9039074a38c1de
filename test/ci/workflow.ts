/** The workflows of examples/ci, and a small evaluator of their expressions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { parse } from "yaml";

export const folder = join(import.meta.dirname, "../../examples/ci");

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: Concurrency;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export type Concurrency =
  | string
  | {
      readonly group: string;
      readonly "cancel-in-progress"?: boolean;
      readonly queue?: "single" | "max";
    };

export interface Workflow {
  readonly name: string;
  readonly "run-name"?: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: Concurrency | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Paths of all workflows, relative to examples/ci. */
export const workflows = globSync(["github/{workflows,on-merge,comments}/*.yml", "fleet/github/**/*.yml"], {
  cwd: folder,
}).toSorted();

const known = new Map<string, Workflow>();

export function readWorkflow(path: string): Workflow {
  const workflow = known.get(path) ?? (parse(readFileSync(join(folder, path), "utf8")) as Workflow);
  known.set(path, workflow);
  return workflow;
}

/** How the workflows use the action of examples/ci/github. */
export const TOOL = "./trusted/.github/actions/workspacectl";

export const action = parse(readFileSync(join(folder, "github/actions/workspacectl/action.yml"), "utf8")) as {
  readonly runs: { readonly steps: readonly Step[] };
};

/** The steps of the action that run a command, by its name. */
export const commands = new Map(
  action.runs.steps.map((step) => [/^inputs\.command == '(\w+)'$/.exec(step.if ?? "")?.[1], step]),
);

/** Returns the script that a step runs, also by the action. */
export function scriptOf({ uses, run = "", with: given }: Step): string {
  const command = String(given?.["command"] ?? "setup");
  return uses === TOOL && command !== "setup" ? (commands.get(command)?.run ?? "") : run;
}

export type Context = Readonly<Record<string, unknown>>;

/** Replaces the expressions in a text, such as the name of a group. */
export function filled(text: string, context: Context): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const value = valueOf(expression, context);
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  });
}

/** Evaluates an expression: operators, properties, indices, and the functions that the examples use. */
export function valueOf(expression: string, context: Context): unknown {
  const tokens = expression.match(/'(?:[^']|'')*'|&&|\|\||[=!]=|[!()[\],]|\d+|[\w.-]+/g) ?? [];
  let at = 0;
  const take = (token: string) => tokens[at] === token && (at++, true);
  const expectToken = (token: string) => {
    if (!take(token)) throw new Error(`${token} is missing in ${expression}`);
  };

  function either(): unknown {
    let left = both();
    while (take("||")) {
      const right = both();
      left = left || right;
    }
    return left;
  }
  function both(): unknown {
    let left = equal();
    while (take("&&")) {
      const right = equal();
      left = left && right;
    }
    return left;
  }
  function equal(): unknown {
    const left = operand();
    for (const operator of ["==", "!="])
      if (take(operator)) return (left === operand()) === (operator === "==");
    return left;
  }
  function operand(): unknown {
    if (take("!")) return !operand();
    if (take("(")) {
      const inner = either();
      expectToken(")");
      return inner;
    }
    const token = tokens[at++] ?? "";
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^\d+$/.test(token)) return Number(token);
    if (take("(")) return called(token);
    let found = property(context, token);
    while (take("[")) {
      found = (found as readonly unknown[] | undefined)?.[Number(tokens[at++])];
      expectToken("]");
      const rest = tokens[at];
      if (rest?.startsWith(".")) {
        at++;
        found = property(found, rest.slice(1));
      }
    }
    return found;
  }
  function called(name: string): unknown {
    const given: unknown[] = [];
    while (!take(")")) {
      given.push(either());
      take(",");
    }
    if (name === "always") return true;
    // A run that is cancelled is not played any further.
    if (name === "cancelled") return false;
    if (name === "format")
      return String(given[0]).replace(/\{(\d)\}/g, (_, index: string) => String(given[Number(index) + 1]));
    throw new Error(`the function ${name} is not known here`);
  }

  const result = either();
  if (at !== tokens.length) throw new Error(`${expression}: ${tokens[at]} is not understood`);
  return result;
}

/** Returns a property at a path such as `github.event.number`. */
export function property(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name],
      value,
    );
}
