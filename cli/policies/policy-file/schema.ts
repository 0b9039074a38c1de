/** The form of a policy: guards and rules that a workspace file can only tighten. */
import { z } from "zod";
import { definitions } from "../../../provider/index.js";
import { text } from "../../../provider/definition/primitives.js";
import { guardSettings } from "../../../workspace-file/document/guard-settings.js";
import { documentRule, ruleCode, ruleFacts, ruleMessages } from "../../config-files/expression-rules.js";

const resourceType = z.enum(definitions.map(({ type }) => type) as [string, ...string[]]);

/** The settings of a workspace file. What a policy does not give is not restricted, so there are no usual values. */
const guards = z
  .strictObject(
    Object.fromEntries(
      Object.entries<z.ZodType>(guardSettings.shape).map(([name, one]) => [
        name,
        one.meta({ default: undefined }),
      ]),
    ) as unknown as typeof guardSettings.shape,
  )
  .extend({
    protectedKinds: z
      .array(resourceType)
      .optional()
      .meta(z.globalRegistry.get(guardSettings.shape.protectedKinds) ?? {}),
  });

const planRule = z.strictObject({
  ...ruleFacts,
  type: resourceType
    .optional()
    .describe("Type of the objects whose operations are checked. Default: all types.")
    .meta({ examples: ["Action"] }),
  when: text
    .optional()
    .describe("Condition in CEL: only operations for which it is true are checked.")
    .meta({ examples: ['op in ["create", "update"]'] }),
  require: text
    .describe("Condition in CEL that each operation must meet.")
    .meta({ examples: ['after.refName == "main"', "summary.delete <= 3"] }),
  ...ruleMessages,
});

export type PlanRuleText = z.infer<typeof planRule>;

export const policySchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    guards: guards
      .optional()
      .describe(
        "Settings of the guards, as in a workspace file. No option and no workspace file overrides them.",
      ),
    documentRules: z
      .record(ruleCode, z.strictObject(documentRule))
      .optional()
      .describe("Rules about the workspace file, by their codes."),
    planRules: z
      .record(ruleCode, planRule)
      .optional()
      .describe("Rules about each operation of a plan, by their codes."),
  })
  .meta({
    title: "Policy",
    description: "What no change of a workspace file may do, for `--policy` of `workspacectl`.",
  });
