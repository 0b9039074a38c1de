/** Settings of the guards in a workspace file, by which `cli/policies/guards` checks plans. */
import { Cron } from "croner";
import { z } from "zod";
import { isCron } from "../../provider/definition/formats.js";
import { choice, text } from "../../provider/definition/primitives.js";

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as 18:30")
  .meta({ examples: ["18:00"] });

const day = choice({
  MON: "Monday",
  TUE: "Tuesday",
  WED: "Wednesday",
  THU: "Thursday",
  FRI: "Friday",
  SAT: "Saturday",
  SUN: "Sunday",
});

/** Time in which changes are refused. */
const quietTime = z
  .strictObject({
    timeZone: text
      .refine(isTimeZone, "must be the name of a time zone such as Europe/Berlin")
      .optional()
      .describe("Time zone of `from`, `to`, `days` and `cron`. Default: UTC.")
      .meta({ examples: ["Europe/Berlin"] }),
    days: z
      .array(day)
      .min(1)
      .optional()
      .describe("Days on which it begins. Default: every day.")
      .meta({ examples: [["SAT", "SUN"]] }),
    from: timeOfDay.optional().describe("When it begins. Default: 00:00."),
    to: timeOfDay
      .optional()
      .describe("When it ends; if earlier than `from`, on the next day. Default: the end of the day.")
      .meta({ examples: ["08:00"] }),
    cron: text
      .refine(comes, "must be a CRON expression such as 0 16 * * FRI")
      .optional()
      .describe("When it begins, as a CRON expression, instead of `days`, `from` and `to`. Requires `hours`.")
      .meta({ examples: ["0 16 * * FRI"] }),
    hours: z
      .number()
      .positive()
      .optional()
      .describe("How long it lasts after `cron`, in hours.")
      .meta({ examples: [64] }),
    reason: text
      .optional()
      .describe("Reason that is shown when a change is refused.")
      .meta({ examples: ["weekend"] }),
  })
  .superRefine((quiet, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (quiet.cron === undefined && quiet.hours !== undefined) problem("hours", "is allowed only with cron");
    if (quiet.cron === undefined) {
      if (!quiet.days && !quiet.from && !quiet.to)
        problem("from", "is required, or days, or cron with hours");
      return;
    }
    if (quiet.hours === undefined) problem("hours", "is required with cron");
    for (const other of ["days", "from", "to"] as const)
      if (quiet[other] !== undefined) problem(other, "cannot be combined with cron: set one or the other");
  });

/** `guards:` at the top of a workspace file. */
export const guardSettings = z.strictObject({
  maxDeletes: z
    .int()
    .min(0)
    .optional()
    .describe("Refuse a plan that deletes more objects than this.")
    .meta({ default: 10, examples: [25] }),
  maxDeleteShare: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      "Refuse a plan that deletes more than this percentage of what the stack manages; three may always be deleted.",
    )
    .meta({ default: 20, examples: [50] }),
  allowDelete: z
    .array(text)
    .optional()
    .describe(
      "Objects that may be deleted at any time, by patterns of their logical names: `*` within one part, `**` over several.",
    )
    .meta({ examples: [["projects/*/variables/*"]] }),
  protectedKinds: z
    .array(text)
    .optional()
    .describe("Resource types whose objects are deleted only when `--allow-delete` names them.")
    .meta({ examples: [["PermissionSet", "Pipeline"]] }),
  projectDeletion: choice({
    named: "A project is deleted only when `--delete-project` names it.",
    allow: "A project counts like any other object.",
  })
    .optional()
    .describe("What is required to delete a project that the file no longer declares.")
    .meta({ default: "named", examples: ["named"] }),
  sectionDeletion: choice({
    named: "A whole section is deleted only when `--allow-delete` names it.",
    allow: "A section is treated like the objects in it.",
  })
    .optional()
    .describe(
      "What is required to delete everything in a section that was applied before: two objects or more.",
    )
    .meta({ default: "named", examples: ["named"] }),
  unmanagedContents: choice({
    named: "What no file declares is deleted with its parent only when `--allow-delete` names it.",
    allow: "It is deleted with its parent; the plan says so.",
  })
    .optional()
    .describe("What is required to delete an object that contains others that no file declares.")
    .meta({ default: "named", examples: ["named"] }),
  minimumAdmins: z
    .int()
    .min(1)
    .optional()
    .describe("Refuse a plan that removes an administrator and leaves fewer than this.")
    .meta({ examples: [2] }),
  requiredAdmins: z
    .array(z.email())
    .optional()
    .describe("E-mail addresses of those who must stay administrators.")
    .meta({ examples: [["ann@example.com"]] }),
  ownAccess: z
    .boolean()
    .optional()
    .describe("Refuse a plan that removes the calling user's own administrator right or membership.")
    .meta({ default: true }),
  quietHours: z
    .array(quietTime)
    .optional()
    .describe("Times at which nothing may be changed.")
    .meta({ examples: [[{ days: ["FRI"], from: "16:00", to: "08:00", timeZone: "Europe/Berlin" }]] }),
});

export type GuardSettings = z.infer<typeof guardSettings>;
export type QuietTime = z.infer<typeof quietTime>;

function comes(expression: string): boolean {
  return isCron(expression) && new Cron(expression, { paused: true }).nextRun() !== null;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
