/** Codes of the guards, for `--ignore-guard`, in a module of their own that the command line can load quickly. */
export const guardCodes = [
  "other-file",
  "not-owned",
  "project-deletion",
  "protected-object",
  "protected-kind",
  "max-deletes",
  "max-delete-share",
  "whole-section",
  "unmanaged-contents",
  "own-access",
  "required-admins",
  "minimum-admins",
  "quiet-hours",
] as const;

export type GuardCode = (typeof guardCodes)[number];
