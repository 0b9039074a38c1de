/** Checks the options of the programmatic API, so that a misspelled guard is no missing one. */
import { z } from "zod";
import { AutomationError } from "../../automation/errors.js";
import type {
  CompareOptions,
  DestroyOptions,
  DriftOptions,
  ExportOptions,
  ImportOptions,
  OperationOptions,
  PreviewOptions,
  UpOptions,
  WorkspaceOptions,
} from "../../automation/options.js";
import { guardCodes } from "../../automation/policy/guards/types.js";
import { addedScopes, comparedClasses, findingClasses } from "../../automation/report/finding-classes.js";
import { describeInvalid } from "../../resources/definition/problems.js";

type Shape<O> = Record<keyof O, z.ZodType>;

const text = z.string().optional();
const texts = z.array(z.string()).readonly().optional();
const flag = z.boolean().optional();
const whole = z.int().min(0).optional();
const percent = z.int().min(0).max(100).optional();
const operation = { signal: z.instanceof(AbortSignal).optional() } satisfies Shape<OperationOptions>;
const createStack = z.union([z.boolean(), z.string()]).optional();
const limits = {
  policy: texts,
  maxDeletes: whole,
  maxDeleteShare: percent,
  allowDelete: texts,
  deleteProject: texts,
  ignoreGuard: z.array(z.enum(guardCodes)).readonly().optional(),
};
const plan = { ...operation, ...limits, only: texts, refresh: flag, reserve: percent };
const confirmation = { yes: flag, checkpoint: z.enum(["every", "journal"]).optional() };
const reading = { ...operation, kinds: texts, project: text, name: text, wait: flag };
const fingerprint = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "must be the whole fingerprint that a preview reports")
  .optional();
const callback = z.custom((value) => typeof value === "function", "must be a function").optional();

const shapes = {
  openWorkspace: {
    ...operation,
    file: text,
    stack: text,
    connection: text,
    overlay: texts,
    allowPath: texts,
    allowEnv: texts,
    program: text,
    engine: z.enum(["dynamic", "plugin"]).optional(),
    // That of the process is no plain object.
    env: z.custom((value) => typeof value === "object" && value !== null, "must be an object").optional(),
    on: callback,
    ask: callback,
  } satisfies Shape<WorkspaceOptions>,
  preview: { ...plan, savePlan: text } satisfies Shape<PreviewOptions>,
  up: {
    ...plan,
    ...confirmation,
    approved: fingerprint,
    plan: text,
    maxAge: whole,
    createStack,
    adoptAfterCrash: flag,
    receipt: text,
    wait: flag,
  } satisfies Shape<UpOptions>,
  destroy: {
    ...operation,
    ...limits,
    ...confirmation,
    includeProtected: flag,
  } satisfies Shape<DestroyOptions>,
  drift: {
    ...operation,
    failOn: z.array(z.enum(findingClasses)).readonly().optional(),
    added: z.enum(addedScopes).optional(),
    ignore: text,
  } satisfies Shape<DriftOptions>,
  refresh: operation,
  import: { ...operation, createStack } satisfies Shape<ImportOptions>,
  export: {
    ...reading,
    workspace: text,
    output: text,
    split: text,
    owns: texts,
    people: text,
    language: z.enum(["yaml", "typescript"]).optional(),
    dryRun: flag,
    fresh: flag,
    force: flag,
  } satisfies Shape<ExportOptions>,
  compare: {
    ...reading,
    left: text,
    right: z.string(),
    failOn: z.array(z.enum(comparedClasses)).readonly().optional(),
    exceptions: text,
    mapping: text,
    leftPeople: text,
    rightPeople: text,
  } satisfies Shape<CompareOptions>,
};

/** The options that are set. Those that are false are not, as on the command line, except for what is done by default. */
export type Given<O> = {
  readonly [K in keyof O]: Exclude<O[K], undefined | (K extends typeof BY_DEFAULT ? never : false)>;
};

const BY_DEFAULT = "refresh";

/** Returns the options that are set. @throws {AutomationError} `usage` when one is unknown, or has another type */
export function requireOptions<O extends object>(of: keyof typeof shapes, options: O): Given<O> {
  const { error } = z.strictObject(shapes[of]).safeParse(options);
  if (error !== undefined)
    throw new AutomationError(
      `${of} does not accept these options: ${describeInvalid(error)}`,
      `Correct what your program passes to ${of}`,
      { code: "usage" },
    );
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined && (value !== false || name === BY_DEFAULT);
  return Object.fromEntries(Object.entries(options).filter(isGiven)) as Given<O>;
}
