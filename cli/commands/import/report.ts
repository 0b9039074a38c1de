/** The JSON report of `workspacectl import`. */
import { z } from "zod";
import { publishSteps } from "../../saved-plan/published-values.js";
import { publishedChangeSchema } from "../../saved-plan/schema.js";
import type { PlanStep, RecordedPlan } from "../../engine/plan/record-plan.js";
import type { OpenStack } from "../../engine/stack/open-stack.js";

const object = z.strictObject({
  type: z.string().describe("Resource type, such as Group."),
  name: z.string().describe("Logical name, such as groups/QA."),
});

export const importReport = z
  .strictObject({
    kind: z.literal("workspacectl-import"),
    formatVersion: z.literal(2),
    workspace: z.string().describe("Domain of the workspace."),
    baseUrl: z.string().describe("Address of the service."),
    project: z.string().describe("The Pulumi project."),
    stack: z.string().describe("The stack that has the objects now."),
    imported: z
      .array(object.extend({ id: z.string().describe("Pulumi's id of the object.") }))
      .describe("Objects that came into the state."),
    unchanged: z.int().min(0).describe("Objects that were in the state before."),
    onTrust: z
      .array(object.extend({ path: z.string().describe("The argument.") }))
      .describe(
        "Values that the service does not return. The declared values are assumed to be the actual ones.",
      ),
    differences: z
      .array(
        object.extend({
          operation: z.enum(["create", "adopt", "update", "replace", "delete", "release"]),
          changes: z
            .array(publishedChangeSchema)
            .describe("Properties as they are in the workspace (before), and as they are declared (after)."),
        }),
      )
      .describe("What `workspacectl up` would change: the workspace does not match the declaration."),
  })
  .meta({ title: "Import", description: "What `workspacectl import --json` prints." });

export type ImportReport = z.infer<typeof importReport>;

export interface ImportRun {
  /** The imported objects, and their ids by logical name. */
  readonly done: readonly PlanStep[];
  readonly ids: ReadonlyMap<string, string>;
  /** The plans before and after. */
  readonly before: RecordedPlan;
  readonly left: RecordedPlan;
}

export function importReportOf(
  { connection, project, name: stack }: OpenStack,
  { done, ids, before, left }: ImportRun,
): ImportReport {
  const names = new Set(done.map(({ name }) => name));
  return {
    kind: "workspacectl-import",
    formatVersion: 2,
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    project: project.name,
    stack,
    imported: done.map(({ type, name }) => ({ type, name, id: ids.get(name) ?? "" })),
    unchanged: before.unchanged,
    onTrust: left.unverifiable
      .filter(({ name }) => names.has(name))
      .map(({ type, name, path }) => ({ type, name, path })),
    differences: publishSteps(left).map(({ operation, type, name, changes }) => ({
      operation,
      type,
      name,
      changes,
    })),
  };
}
