/** Words shared by every resource type: small zod schemas with the spec's names and enumerations. */
import { z } from "zod";

/** A text the service refuses when empty (spec, Errors: `Value of '<field>' cannot be empty.`). */
export const text = z.string().min(1);

/** A text that may be cleared: `null` and `""` both mean "no text". */
export const clearableText = z.string().nullable();

/** A number the service gave an object. */
export const id = z.int().positive();

/** A name, or the number the service gave the object of that name. */
export const nameOrId = z.union([text, id]);

/** A port: the service takes a string; a number is written as one. */
export const port = z.union([z.int().min(1).max(65535), z.string().regex(/^\S+$/)]);

/** A point in time, ISO 8601 in UTC (spec, General conventions). */
export const utcDate = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
    "must be an ISO 8601 date in UTC, for example 2026-01-31T08:00:00Z",
  );

/** Commands, paths or patterns, one per item. */
export const lines = z.array(z.string());

/** A nested view the spec does not detail: passed to the service untouched, in the service's own names. */
export const opaqueObject = z.record(z.string(), z.unknown());
export const opaqueList = z.array(z.unknown());

export const repositoryAccessLevel = z.enum(["DENIED", "READ_ONLY", "READ_WRITE"]);
export const pipelineAccessLevel = z.enum(["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"]);
export const triggerMode = z.enum(["MANUAL", "SCHEDULED", "ON_EVERY_PUSH"]);
export const refType = z.enum(["BRANCH", "TAG", "WILDCARD", "PULL_REQUEST", "NONE"]);
export const triggerTime = z.enum(["ON_EVERY_EXECUTION", "ON_FAILURE", "ON_BACK_TO_SUCCESS"]);
export const agentTriggerTime = z.enum([
  ...triggerTime.options,
  "ON_WARNING",
  "ON_WAIT_FOR_APPROVE",
  "ON_TERMINATE",
]);
