/** The profile of a service: what a probe has measured, in a small file without secrets. */
import { z } from "zod";
import { behaviorSchema } from "./behavior.js";
import { type AssumptionId, assumptions } from "./list-of-assumptions.js";

export const verdicts = ["holds", "differs", "undecided"] as const;
/** Whether an assumption holds, as far as could be measured. */
export type Verdict = (typeof verdicts)[number];

export const profileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    service: z.string().describe("Base address at which this was measured."),
    measuredAt: z.iso.datetime().describe("ISO 8601 in UTC."),
    wrote: z.boolean().describe("Whether the probe could create and change objects (`--write`)."),
    behavior: behaviorSchema.partial().describe("What was measured. Anything else is as assumed."),
    assumptions: z
      .record(z.string(), z.enum(verdicts))
      .describe("Whether each assumption holds, by its id in docs/decisions.md."),
  })
  .meta({
    title: "Profile",
    description: "What `workspacectl probe --save-profile` has measured at a service.",
  });

/** Content of a profile. */
export type Profile = z.output<typeof profileSchema>;

export interface ProfileDifference {
  readonly id: AssumptionId;
  readonly title: string;
  /** What was measured at each service, in a few words. */
  readonly left: string;
  readonly right: string;
}

/** Lists what was measured at two services, and is not the same. */
export function listDifferences(left: Profile, right: Profile): ProfileDifference[] {
  return assumptions.flatMap(({ id, title, behavior }) => {
    const [one, other] = [left, right].map((profile) => {
      const verdict = profile.assumptions[id];
      if (verdict === undefined || verdict === "undecided") return undefined;
      const value = behavior && profile.behavior[behavior];
      return value === undefined ? `${id} ${verdict}` : `${behavior ?? ""} is ${String(value)}`;
    });
    if (one === undefined || other === undefined || one === other) return [];
    return [{ id, title, left: one, right: other }];
  });
}
