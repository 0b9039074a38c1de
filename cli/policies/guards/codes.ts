/** Names of the guards, for `--ignore-guard`: by themselves, so that the command line knows them without loading any. */
export const guardCodes = [
  "other-file",
  "project-deletion",
  "protected-object",
  "protected-kind",
  "max-deletes",
  "max-delete-share",
  "whole-section",
  "own-access",
  "required-admins",
  "minimum-admins",
  "quiet-hours",
] as const;

export type GuardCode = (typeof guardCodes)[number];
