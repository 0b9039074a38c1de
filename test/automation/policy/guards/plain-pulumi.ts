/** What plain Pulumi holds of each guard. docs/guards.md shows it, and test/e2e/plain-guards.nightly.test.ts tries each of them. */
import type { GuardCode } from "../../../../automation/policy/guards/types.js";

export const plainPulumi: Readonly<Record<GuardCode, string>> = {
  "other-file": "no",
  "not-owned": "no",
  "project-deletion": "the provider keeps the project (see below)",
  "protected-object": "Pulumi's protection",
  "protected-kind": "no",
  "max-deletes": "no",
  "max-delete-share": "no",
  "whole-section": "no",
  "unmanaged-contents": "no",
  "perhaps-hidden": "the provider keeps the object in the state, and refuses its deletion",
  "used-object": "the service refuses the deletion",
  "own-access": "the provider keeps the caller's membership and right",
  "required-admins": "no",
  "minimum-admins": "no, but the caller stays an administrator",
};
