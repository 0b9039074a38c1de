/** Lint rule: the file declares members, but no administrator of the workspace. */
import type { Rule } from "../rule.js";

export const noAdministrator: Rule = {
  code: "no-administrator",
  severity: "warning",
  description: "The file declares members, but no administrator of the workspace.",
  remedy: "Declare an administrator with `admin: true`, or with `external: true` if managed elsewhere.",
  *check(linted) {
    const members = linted.declared("WorkspaceMember");
    const possible = members.some(({ external, written }) => external || written["admin"] === true);
    const [first] = linted.of("WorkspaceMember");
    if (first === undefined || possible) return;
    yield { at: { path: ["members"], atKey: true }, message: "no member has admin: true" };
  },
};
