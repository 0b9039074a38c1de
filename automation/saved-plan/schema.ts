/** Schemas of saved plans and receipts; scripts/generate publishes them as JSON Schemas. */
import { z } from "zod";
import { jsonArguments, type JsonValue, jsonValue } from "../../text/json-value.js";
import { CUSTOM_CODE } from "../../workspace-file/lint/custom/rule.js";
import { guardCodes } from "../policy/guards/types.js";

export const PLAN_FORMAT = 2;
export const RECEIPT_FORMAT = 1;

const time = z.iso.datetime().describe("ISO 8601, in UTC.");
const digest = z.string().regex(/^[0-9a-f]{16,64}$/);
const operation = z.enum(["create", "adopt", "update", "replace", "delete", "release"]);

const count = z.strictObject({
  reads: z.int().min(0).describe("GET requests."),
  writes: z.int().min(0).describe("All other requests."),
});

/** A property that changes, in plans and in reports. */
export const publishedChangeSchema = z.strictObject({
  path: z.string().describe("Path of the property, such as executeCommands[1]."),
  pathParts: z.array(z.union([z.string(), z.int()])).describe("The path in parts."),
  before: jsonValue.describe("Its value before; null for none."),
  after: jsonValue.describe("Its value after; null for none."),
});

const savedStep = z.strictObject({
  operation,
  type: z.string().describe("Resource type."),
  name: z.string().describe("Logical name: the path in the workspace file."),
  formerName: z.string().optional(),
  within: z
    .string()
    .optional()
    .describe(
      "The object that contains it in a list (exclusive: true): it leaves the list, and so is deleted.",
    ),
  before: jsonArguments.nullable().describe("Arguments before; null for an object that is not in the state."),
  after: jsonArguments
    .nullable()
    .describe("Arguments after; null for an object that is deleted or released."),
  changes: z.array(publishedChangeSchema).describe("The properties that change."),
  replacedFor: z.array(z.string()).describe("Properties that force a replacement."),
  hash: z.string().optional().describe("Hash of the operation. The fingerprint of the plan is over these."),
});

/** An operation in a report. */
export const publishedStepSchema = savedStep.extend({
  reasons: z
    .array(z.strictObject({ property: z.string().optional(), text: z.string() }))
    .describe("Reasons for a replacement."),
  milliseconds: z.number().optional(),
});

export const publishedDriftSchema = z.strictObject({
  type: z.string(),
  name: z.string(),
  gone: z.boolean(),
  changes: z.array(publishedChangeSchema),
});

export const savedVerdict = z.strictObject({
  guard: z
    .union([z.enum(guardCodes), z.string().regex(CUSTOM_CODE)])
    .describe("Code of the guard, or of a rule of a policy."),
  message: z.string(),
  objects: z.array(z.string()),
  remedy: z.string(),
  remedyInFile: z.string().optional().describe("What to write in the workspace file to allow it."),
  ignored: z.boolean().describe("An option overrides the refusal."),
  policy: z.string().optional().describe("Path of the policy that refuses."),
  file: z
    .string()
    .optional()
    .describe(
      "The workspace file whose setting refuses. Absent for default settings and for settings from an option.",
    ),
});

export const unmanagedContent = z.strictObject({
  type: z.string().describe("Resource type."),
  name: z.string().describe("Logical name that it would have in the file."),
  within: z.string().describe("Logical name of the object that is deleted with it."),
});

export const takenName = z.strictObject({
  type: z.string(),
  name: z.string().describe("Logical name of what the plan would create."),
  what: z.string().describe("What has its name in the workspace, with its number."),
  htmlUrl: z.string().optional(),
  managedAs: z.string().optional().describe("Logical name under which this very stack manages it."),
  adoptable: z.boolean().describe("adopt: true would adopt it."),
});

const allowances = z
  .strictObject({
    maxDeletes: z.int().optional(),
    maxDeleteShare: z.number().optional(),
    allowDelete: z.array(z.string()).optional(),
    deleteProject: z.array(z.string()).optional(),
    ignoreGuard: z.array(z.string()).optional(),
  })
  .describe("Flags of the preview; they also apply when the plan is applied.");

const left = z
  .strictObject({ limit: z.int(), remaining: z.int(), resetAt: time })
  .describe("Remaining requests of the hour, as the service reports them.");

export const savedRequests = z.strictObject({
  made: count.describe("For the preview."),
  needed: count.describe("Estimated number to apply the plan."),
  left: left.optional(),
  reserve: z.int().min(0).describe("Requests that are left for others."),
});

const source = z.strictObject({
  path: z.string().describe("Relative to the folder of the workspace file."),
  sha256: digest,
});

const about = {
  tool: z.string().describe("Version of workspacectl."),
  stack: z.string(),
  project: z.string().describe("Name of the Pulumi project."),
  workspace: z.string(),
  baseUrl: z.string(),
  file: z.string().optional().describe("The workspace file, relative to the project's folder."),
  files: z.array(source).describe("All files that the document consists of."),
};

export const savedPlan = z
  .strictObject({
    kind: z.literal("workspacectl-plan"),
    formatVersion: z.literal(PLAN_FORMAT),
    createdAt: time,
    ...about,
    fingerprint: z.string().describe("Fingerprint of the operations, for `up --approved`."),
    hashes: z
      .array(z.string())
      .optional()
      .describe(
        "Hashes of all that the fingerprint covers: operations, loosened guards, and contents that are deleted.",
      ),
    refreshed: z.boolean().describe("The workspace was read before."),
    only: z
      .array(z.string())
      .optional()
      .describe("Patterns of the objects to which the plan is limited (--only)."),
    steps: z.array(savedStep).describe("What would be done."),
    drift: z.array(publishedDriftSchema).describe("What was changed outside of Pulumi since the last run."),
    unmanagedContents: z
      .array(unmanagedContent)
      .describe("What no file declares in the objects that would be deleted."),
    declared: z
      .strictObject({
        salt: z.string(),
        key: digest.describe("Shows whether another run has the same key."),
        objects: z.record(z.string(), digest),
      })
      .describe("Keyed fingerprints of what is declared, secrets included, by logical name."),
    state: z.record(z.string(), digest).describe("Fingerprints of what was in the state, by logical name."),
    live: z
      .record(z.string(), digest.nullable())
      .nullable()
      .describe(
        "Fingerprints of what was in the workspace; null for a deleted object. null without a refresh.",
      ),
    taken: z
      .array(takenName)
      .optional()
      .describe("Names that already exist in the workspace: `up` refuses the plan while there are any."),
    guards: z.strictObject({ allowances, verdicts: z.array(savedVerdict) }),
    requests: savedRequests,
    pulumiPlan: z.unknown().describe("Pulumi's own plan; secrets in it are encrypted by the stack's key."),
  })
  .meta({
    title: "Saved plan",
    description: "A plan that `workspacectl up --plan` applies exactly, or refuses.",
  });

export const receipt = z
  .strictObject({
    kind: z.literal("workspacectl-receipt"),
    formatVersion: z.literal(RECEIPT_FORMAT),
    ...about,
    plan: z
      .strictObject({ sha256: digest, createdAt: time })
      .optional()
      .describe("The saved plan that was applied."),
    fingerprint: z.string().optional().describe("Fingerprint of the plan of this run."),
    approved: z
      .string()
      .optional()
      .describe("Fingerprint of the approved plan, of which this run may have applied what was left."),
    by: z
      .strictObject({
        actor: z
          .string()
          .optional()
          .describe("Who started the run, by the CI system or the operating system."),
        commit: z.string().optional(),
        run: z.string().optional().describe("Address of the CI run."),
      })
      .optional(),
    startedAt: time,
    endedAt: time,
    outcome: z.enum(["succeeded", "failed", "interrupted", "refused", "declined", "nothing-to-do"]),
    error: z.string().optional(),
    done: z.array(
      z.strictObject({
        operation,
        type: z.string(),
        name: z.string(),
        id: z.string().optional().describe("The id in the state: workspace and number."),
        milliseconds: z.number().optional(),
        hash: savedStep.shape.hash,
        before: savedStep.shape.before.optional(),
        after: savedStep.shape.after.optional(),
        changes: savedStep.shape.changes.optional(),
      }),
    ),
    notDone: z
      .array(z.strictObject({ operation, type: z.string(), name: z.string() }))
      .optional()
      .describe("Operations of the plan that this run did not complete."),
    counts: z.partialRecord(operation, z.int()),
    verdicts: z.array(savedVerdict),
    access: z
      .array(z.string())
      .optional()
      .describe("Access that people gain or lose, according to the plan."),
    requests: z.strictObject({
      estimated: count
        .optional()
        .describe("Requests according to the plan: made for it, and needed to apply it."),
      made: count,
      left: left.optional(),
    }),
  })
  .meta({ title: "Receipt", description: "What one `workspacectl up` has done." });

export type PublishedChange = z.infer<typeof publishedChangeSchema>;
export type PublishedStep = z.infer<typeof publishedStepSchema>;
export type PublishedDrift = z.infer<typeof publishedDriftSchema>;
export type SavedPlan = DeepReadonly<z.infer<typeof savedPlan>>;
export type Receipt = DeepReadonly<z.infer<typeof receipt>>;

type DeepReadonly<T> = JsonValue extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };
