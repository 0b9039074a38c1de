import type { Rule } from "../rule.js";

export const noAdministrator: Rule = {
  code: "no-administrator",
  severity: "warning",
  description: "The file declares members, and none of them administers the workspace.",
  remedy: "Declare an administrator with `admin: true`; one who is managed elsewhere with `external: true`.",
  *check(linted) {
    const members = linted.declared("WorkspaceMember");
    const possible = members.some(({ external, written }) => external || written["admin"] === true);
    const [first] = linted.of("WorkspaceMember");
    if (first === undefined || possible) return;
    yield { at: { path: ["members"], atKey: true }, message: "no member has admin: true" };
  },
};
