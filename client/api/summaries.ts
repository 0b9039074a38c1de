import { z } from "zod";
import { links, told, wire } from "../wire.js";

/* Summaries that objects of other areas embed. */

/** A user who was just added has no name yet. */
export const MemberSummary = wire({
  ...links,
  id: z.int(),
  name: told<string>(),
  avatar_url: told<string>(),
  title: told<string>(),
  /** Not promised by the spec here, but used where the service shows it. */
  email: told<string>(),
});
export type MemberSummary = z.infer<typeof MemberSummary>;

export const ProjectSummary = wire({
  ...links,
  /** The project's identity: unique in the workspace, and its segment in paths. */
  name: z.string(),
  display_name: told<string>(),
  status: told<"ACTIVE" | "CLOSED">(),
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

export type TriggerMode = "MANUAL" | "SCHEDULED" | "ON_EVERY_PUSH";
export type RefType = "BRANCH" | "TAG" | "WILDCARD" | "PULL_REQUEST" | "NONE";
export type ExecutionStatus =
  "SUCCESSFUL" | "FAILED" | "INPROGRESS" | "ENQUEUED" | "SKIPPED" | "TERMINATED" | "INITIAL";

export const PipelineSummary = wire({
  ...links,
  id: z.int(),
  name: z.string(),
  trigger_mode: told<TriggerMode>(),
  ref_name: told<string>(),
  last_execution_status: told<ExecutionStatus>(),
  last_execution_revision: told<string>(),
});
export type PipelineSummary = z.infer<typeof PipelineSummary>;

export const CommitSummary = wire({
  ...links,
  revision: z.string(),
  author_date: told<string>(),
  commit_date: told<string>(),
  message: told<string>(),
  /** Whoever committed need not be a member. */
  committer: told<Partial<MemberSummary>>(),
  author: told<Partial<MemberSummary>>(),
});
export type CommitSummary = z.infer<typeof CommitSummary>;

export const BranchSummary = wire({ ...links, name: z.string(), default: told<boolean>() });
export type BranchSummary = z.infer<typeof BranchSummary>;
