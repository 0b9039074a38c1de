/** Short forms of objects that other objects contain. */
import { z } from "zod";
import { apiObject, links, unchecked } from "../schema.js";

/* Summaries that objects of other areas embed. */

/** A user who was just added has no name yet. */
export const MemberSummary = apiObject({
  ...links,
  id: z.int(),
  name: unchecked<string>(),
  avatar_url: unchecked<string>(),
  title: unchecked<string>(),
  /** Not promised by the spec here, but used where the service shows it. */
  email: unchecked<string>(),
});
export type MemberSummary = z.infer<typeof MemberSummary>;

export const ProjectSummary = apiObject({
  ...links,
  /** The project's identity: unique in the workspace, and its segment in paths. */
  name: z.string(),
  display_name: unchecked<string>(),
  status: unchecked<"ACTIVE" | "CLOSED">(),
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

export type TriggerMode = "MANUAL" | "SCHEDULED" | "ON_EVERY_PUSH";
export type RefType = "BRANCH" | "TAG" | "WILDCARD" | "PULL_REQUEST" | "NONE";
export type ExecutionStatus =
  "SUCCESSFUL" | "FAILED" | "INPROGRESS" | "ENQUEUED" | "SKIPPED" | "TERMINATED" | "INITIAL";

export const PipelineSummary = apiObject({
  ...links,
  id: z.int(),
  name: z.string(),
  trigger_mode: unchecked<TriggerMode>(),
  ref_name: unchecked<string>(),
  last_execution_status: unchecked<ExecutionStatus>(),
  last_execution_revision: unchecked<string>(),
});
export type PipelineSummary = z.infer<typeof PipelineSummary>;

export const CommitSummary = apiObject({
  ...links,
  revision: z.string(),
  author_date: unchecked<string>(),
  commit_date: unchecked<string>(),
  message: unchecked<string>(),
  /** The committer may not be a member. */
  committer: unchecked<Partial<MemberSummary>>(),
  author: unchecked<Partial<MemberSummary>>(),
});
export type CommitSummary = z.infer<typeof CommitSummary>;

export const BranchSummary = apiObject({ ...links, name: z.string(), default: unchecked<boolean>() });
export type BranchSummary = z.infer<typeof BranchSummary>;
