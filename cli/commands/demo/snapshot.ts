/** What a workspace holds, read through the API. */
import type { WorkspaceAutomationClient } from "../../../client/index.js";

export interface DemoSnapshot {
  readonly members: readonly string[];
  readonly groups: readonly GroupSnapshot[];
  readonly permissionSets: readonly string[];
  readonly variables: readonly string[];
  readonly projects: readonly ProjectSnapshot[];
}

export interface GroupSnapshot {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly members: number;
}

export interface ProjectSnapshot {
  readonly name: string;
  readonly pipelines: readonly PipelineSnapshot[];
}

export interface PipelineSnapshot {
  readonly name: string;
  readonly triggerMode: string;
  /** Name and type of each action, in order. */
  readonly actions: readonly string[];
}

export async function snapshot(client: WorkspaceAutomationClient, workspace: string): Promise<DemoSnapshot> {
  const [members, groups, permissionSets, variables, projects] = await Promise.all([
    client.members.list(workspace).toArray(),
    client.groups.list(workspace).toArray(),
    client.permissionSets.list(workspace).toArray(),
    client.variables.list(workspace).toArray(),
    client.projects.list(workspace).toArray(),
  ]);
  const byName = <T extends { readonly name: string }>(items: T[]) =>
    items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    members: members.map(({ name, id }) => name ?? `#${id}`),
    permissionSets: permissionSets.map(({ name }) => String(name)),
    variables: variables.map(({ key, value }) => `${String(key)}=${String(value)}`),
    groups: byName(
      await Promise.all(
        groups.map(async ({ id, name, description }) => ({
          id,
          name: String(name),
          description: description ?? "",
          members: (await client.groupMembers.list(workspace, id).toArray()).length,
        })),
      ),
    ),
    projects: byName(
      await Promise.all(projects.map(({ name }) => projectSeen(client, workspace, String(name)))),
    ),
  };
}

async function projectSeen(
  client: WorkspaceAutomationClient,
  workspace: string,
  project: string,
): Promise<ProjectSnapshot> {
  const pipelines = await client.pipelines.list(workspace, project).toArray();
  return {
    name: project,
    pipelines: await Promise.all(
      pipelines.map(async ({ id, name, trigger_mode }) => {
        const actions = await client.actions.list(workspace, project, id).toArray();
        return {
          name: String(name),
          triggerMode: String(trigger_mode),
          actions: actions.map((action) => `${String(action.name)} (${String(action.type)})`),
        };
      }),
    ),
  };
}
