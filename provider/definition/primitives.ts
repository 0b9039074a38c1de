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

/** A text the service refuses when empty (spec, Errors: `Value of '<field>' cannot be empty.`). */
export const text = z.string().min(1, { abort: true }).regex(/\S/, "must not be of blanks only");

/** A text that may be empty, which means none. The service refuses a text of blanks only. */
export const emptyOrText = z.string().regex(/^$|\S/, "must not be of blanks only");

/** A text that may be cleared: `null` and `""` both mean "no text". */
export const clearableText = emptyOrText.nullable();

/** An id of the service. */
export const id = z.int().positive();

/** A name, or the id of the object with that name. */
export const nameOrId = z.union([text, id]);

/** Commands, paths or patterns, one per item. */
export const lines = z.array(z.string());

/** A nested view that the spec does not detail: passed on unchanged, with the service's own names. */
export const opaqueObject = z.record(z.string(), z.unknown());
export const opaqueList = z.array(z.unknown());

/** One of several values. Editors show the meaning of each. */
export function choice<const W extends Readonly<Record<string, string>>>(words: W) {
  const values = Object.keys(words) as [keyof W & string, ...(keyof W & string)[]];
  return z.enum(values).meta({ enumDescriptions: words });
}

/** The only value so far, with its meaning. */
export function only<const W extends string>(word: W, meaning: string) {
  return z.literal(word).meta({ enumDescriptions: { [word]: meaning } });
}

export const repositoryAccessLevel = choice({
  DENIED: "The repository is not shown.",
  READ_ONLY: "Code may be read.",
  READ_WRITE: "Code may be read and pushed.",
});
export const pipelineAccessLevel = choice({
  DENIED: "Pipelines are not shown.",
  READ_ONLY: "Pipelines and their runs may be looked at.",
  RUN_ONLY: "Pipelines may be looked at and run.",
  READ_WRITE: "Pipelines may be run and changed.",
});
export const triggerMode = choice({
  MANUAL: "Runs only when somebody, or something, starts it.",
  SCHEDULED: "Runs at set times: with `cron`, or with `startDate` and `delay`.",
  ON_EVERY_PUSH: "Runs on every push to what `refName` names.",
});
export const refType = choice({
  BRANCH: "`refName` is a branch.",
  TAG: "`refName` is a tag.",
  WILDCARD: "`refName` is a pattern that branches or tags have to match, such as `feature/*`.",
  PULL_REQUEST: "`refName` names pull requests.",
  NONE: "The pipeline belongs to no branch, tag or pull request.",
});
const whenRun = {
  ON_EVERY_EXECUTION: "In every run, in its turn.",
  ON_FAILURE: "Only when the run failed.",
  ON_BACK_TO_SUCCESS: "Only when the run succeeded and the one before had failed.",
} as const;
export const triggerTime = choice(whenRun);
export const agentTriggerTime = choice({
  ...whenRun,
  ON_WARNING: "Only when the run ended with a warning.",
  ON_WAIT_FOR_APPROVE: "When the run waits for an approval.",
  ON_TERMINATE: "When the run is terminated.",
});
