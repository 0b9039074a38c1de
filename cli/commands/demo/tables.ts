/** What is in a workspace, as tables for people. */
import Table from "cli-table3";
import { plain } from "../../../client/printable.js";
import type { Io } from "../../terminal/io.js";
import type { DemoSnapshot } from "./snapshot.js";

export function workspaceTables(seen: DemoSnapshot, io: Io): string {
  const pipelines = table(["project", "pipeline", "runs", "actions, in order"], io);
  for (const project of seen.projects) {
    for (const { name, triggerMode, actions } of project.pipelines)
      pipelines.push([
        plain(project.name),
        plain(name),
        triggerMode,
        actions.map((one) => plain(one)).join("\n"),
      ]);
  }
  const groups = table(["group", "description", "members"], io);
  for (const { name, description, members } of seen.groups)
    groups.push([plain(name), plain(description), members]);
  const rest = [
    `${seen.members.length} members of the workspace, with the owner`,
    `permission sets: ${seen.permissionSets.join(", ")}`,
    `variables of the workspace: ${seen.variables.map(shortened).join(", ")}`,
  ];
  return [pipelines.toString(), groups.toString(), ...rest].join("\n");
}

/** One line, to compare a workspace before and after. */
export function inOneLine({ members, groups, permissionSets, variables, projects }: DemoSnapshot): string {
  return (
    `${members.length} member${members.length === 1 ? "" : "s"}, ${groups.length} groups, ` +
    `${permissionSets.length} permission sets, ${variables.length} variables, ${projects.length} projects`
  );
}

function table(head: string[], io: Io): InstanceType<typeof Table> {
  return new Table({ head: head.map((word) => io.colors.bold(word)), style: { head: [], border: [] } });
}

/** Encrypted values are long and say nothing. */
function shortened(variable: string): string {
  return variable.length <= 40 ? variable : `${variable.slice(0, 33)}…`;
}
