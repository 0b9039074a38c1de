/** Primitives of all resource types: small zod schemas with the spec's names and enumerations. */
import { z } from "zod";

/** An argument that may be omitted, with examples of values. */
export function optional<T extends z.ZodType>(schema: T, description: string, ...examples: unknown[]) {
  const described = schema.optional().describe(description);
  return examples.length === 0 ? described : described.meta({ examples });
}

/** A switch that may be omitted. Without a default, an omitted switch is not managed. */
export function flag(description: string, initially?: boolean) {
  const described = optional(z.boolean(), description);
  return initially === undefined ? described : described.meta({ default: initially });
}

/** A text that must not be empty (spec, Errors: `Value of '<field>' cannot be empty.`). */
export const text = createText("is required");

/** Such a text, with the message where it is missing. It begins with "is required". */
export function createText(missing: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? missing : undefined) })
    .min(1, { abort: true })
    .regex(/\S/, "must not consist of spaces only");
}

/** A text that may be empty, which means that there is none. The service refuses a text that consists of blanks only. */
export const emptyOrText = z.string().regex(/^$|\S/, "must not consist of spaces only");

/** A text that may be cleared: `null` and `""` both mean "no text". */
export const clearableText = emptyOrText.nullable();

/** An id of the service. */
export const id = z.int().positive();

/** A name, or the id of the object with that name. */
export const nameOrId = z.union([text, id]);

/** Commands, paths or patterns, one per item. */
export const lines = z.array(z.string());

/** A nested object that the spec does not describe. It is passed on unchanged, with the service's own names. */
export const opaqueObject = z.record(z.string(), z.unknown());
export const opaqueList = z.array(z.unknown());

/** One of several values. Editors show the meaning of each. */
export function choice<const W extends Readonly<Record<string, string>>>(meanings: W) {
  const values = Object.keys(meanings) as [keyof W & string, ...(keyof W & string)[]];
  return z.enum(values).meta({ enumDescriptions: meanings });
}

/** The only possible value, with its meaning. */
export function only<const W extends string>(value: W, meaning: string) {
  return z.literal(value).meta({ enumDescriptions: { [value]: meaning } });
}

export const repositoryAccessLevel = choice({
  DENIED: "No access to the repository.",
  READ_ONLY: "Read code.",
  READ_WRITE: "Read and push code.",
});
export const pipelineAccessLevel = choice({
  DENIED: "No access to pipelines.",
  READ_ONLY: "View pipelines and their runs.",
  RUN_ONLY: "View and run pipelines.",
  READ_WRITE: "View, run and change pipelines.",
});
export const triggerMode = choice({
  MANUAL: "Runs only when a user or a program starts it.",
  SCHEDULED: "Runs on a schedule: with `cron`, or with `startDate` and `delay`.",
  ON_EVERY_PUSH: "Runs on every push to the ref in `refName`.",
});
export const refType = choice({
  BRANCH: "`refName` is a branch.",
  TAG: "`refName` is a tag.",
  WILDCARD: "`refName` is a pattern for branches or tags, such as `feature/*`.",
  PULL_REQUEST: "`refName` names pull requests.",
  NONE: "The pipeline belongs to no branch, tag or pull request.",
});
const whenRun = {
  ON_EVERY_EXECUTION: "In every run.",
  ON_FAILURE: "Only when the run fails.",
  ON_BACK_TO_SUCCESS: "Only when the run succeeds after a failed one.",
} as const;
export const triggerTime = choice(whenRun);
export const agentTriggerTime = choice({
  ...whenRun,
  ON_WARNING: "Only when the run ends with a warning.",
  ON_WAIT_FOR_APPROVE: "When the run waits for an approval.",
  ON_TERMINATE: "When the run is terminated.",
});
