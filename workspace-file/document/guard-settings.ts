/** Settings of the guards in a workspace file, by which `automation/policy/guards` checks plans. */
import { z } from "zod";
import { choice, text } from "../../resources/definition/primitives.js";

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
});

export type GuardSettings = z.infer<typeof guardSettings>;
