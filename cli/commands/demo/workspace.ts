/** Reads the demo's workspace from the service, and describes it. */
import { definitions, discoverWorkspace, type DiscoveredObject } from "../../../provider/index.js";
import { print, type Io } from "../../terminal/io.js";
import { printTable } from "../../terminal/output.js";
import type { Stage } from "./stage.js";

export type DemoWorkspace = readonly Pick<
  DiscoveredObject,
  "definition" | "name" | "key" | "args" | "outputs"
>[];

export async function readDemoWorkspace({ emulator }: Pick<Stage, "emulator">): Promise<DemoWorkspace> {
  const { baseUrl, token, workspace } = emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const found = await discoverWorkspace(connection, { enters: () => true, opens: () => true });
  return [...found.objects, ...found.omitted];
}

export async function printWorkspace(objects: DemoWorkspace, io: Io): Promise<void> {
  const rows = objects.flatMap(({ definition, name, key, args }) => {
    if (definition.type !== "Pipeline") return [];
    const actions = objects.filter(
      (one) => one.name.startsWith(`${name}/actions/`) && one.definition.type === "Action",
    );
    return [
      [name.split("/")[1] ?? "", key, String(args["triggerMode"]), actions.map((one) => one.key).join(", ")],
    ];
  });
  await printTable(io, ["PROJECT", "PIPELINE", "TRIGGER", "ACTIONS, IN ORDER"], rows);
  print(io, `The workspace has ${countsOf(objects)}.`);
}

/** `1 member, 0 groups, 2 permission sets, ...` */
export function countsOf(objects: DemoWorkspace): string {
  return ["WorkspaceMember", "Group", "PermissionSet", "Variable", "Project", "Pipeline"]
    .map((type) => {
      const count = objects.filter(({ definition }) => definition.type === type).length;
      const noun = definitions.find((one) => one.type === type)?.noun ?? type;
      return `${count} ${noun}${count === 1 ? "" : "s"}`;
    })
    .join(", ");
}
