/** Workspaces of a size: projects with a pipeline of five actions and two variables, groups with a member. */
import { stringify } from "yaml";

/** Objects of a project: itself, a pipeline, its actions and their order, two variables. */
const PER_PROJECT = 10;

/**
 * @param size approximate number of objects
 * @param options changed: number of objects that differ from those of the unchanged workspace; name: domain of the workspace
 */
export function writeWorkspace(
  size: number,
  { changed = 0, name = "acme" }: { readonly changed?: number; readonly name?: string } = {},
): string {
  const people = Math.max(1, Math.round(size / 20));
  const projects = Math.max(1, Math.round((size - 3 * people) / PER_PROJECT));
  const variable = (project: number, key: string) => ({
    value: `${key} of ${project}`,
    description: 2 * project + (key === "TIER" ? 0 : 1) < changed ? "Changed" : "What it is for",
  });
  const document = {
    version: 1,
    workspace: name,
    members: createNumbered(people, (n) => [`person${n}@example.com`, {}]),
    groups: createNumbered(people, (n) => [
      `team-${n}`,
      { description: `Team ${n}`, members: [`person${n}@example.com`] },
    ]),
    projects: createNumbered(projects, (n) => [
      `project-${n}`,
      {
        displayName: `Project ${n}`,
        variables: { TIER: variable(n, "TIER"), REGION: variable(n, "REGION") },
        pipelines: {
          deploy: {
            triggerMode: "ON_EVERY_PUSH",
            refType: "BRANCH",
            refName: "main",
            actions: Array.from({ length: 5 }, (_, action) => ({
              name: `Step ${action}`,
              type: "BUILD",
              triggerTime: "ON_EVERY_EXECUTION",
              containerImageName: "node",
              containerImageTag: "22",
              executeCommands: ["npm ci", `npm run step-${action}`],
            })),
          },
        },
      },
    ]),
  };
  return stringify(document);
}

function createNumbered<T>(count: number, entry: (n: number) => [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => entry(n)));
}
