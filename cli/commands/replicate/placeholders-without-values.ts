/** Finds placeholders without values for the target. */
import { chooseVariableFor } from "../../../trust/variables.js";
import {
  mapLeaves,
  listPlaceholdersIn,
  getLocation,
  parseVariable,
  type Location,
} from "../../../workspace-file/index.js";
import { readDocument } from "../../../workspace-file/load/index.js";
import { readConfiguredKeys, findProject } from "../../engine/stack/project.js";
import { groupBy } from "../../lists.js";
import type { MissingPrerequisite } from "./missing-in-target.js";
import type { ReplicationTarget } from "./target-document.js";

/** Finds missing environment variables and files of placeholders. */
export function findMissingVariables(
  target: ReplicationTarget,
  env: NodeJS.ProcessEnv,
): MissingPrerequisite[] {
  const { problems } = readDocument(target.options.file, { ...target.reading, env, mock: "config" });
  return [...groupBy(problems, ({ message }) => message)].map(([message, of]) => {
    const [, why = message, remedy = "correct the file"] = /^(.*?): (.*)$/s.exec(message) ?? [];
    return { what: "placeholder", why, remedy, uses: createUnnamed(of.map(({ place }) => place)) };
  });
}

/** Finds missing configuration keys of placeholders. */
export function findMissingConfiguration(target: ReplicationTarget): MissingPrerequisite[] {
  const { file, stack } = target.options;
  const project = findProject(file);
  const known = readConfiguredKeys(project, stack);
  if (known === undefined) return [];
  return [...collectBodies(target, "config")].flatMap(([key, places]) => {
    if (known.has(key.includes(":") ? key : `${project.name}:${key}`)) return [];
    const where = project.own ? ", next to a Pulumi.yaml" : "";
    return {
      what: `configuration ${key}`,
      why: `not set for stack ${stack}`,
      remedy: `workspacectl config set ${key} VALUE --stack ${stack} (for a secret: --secret, and no value)${where}. For a new stack, first: workspacectl pulumi -- stack init ${stack}`,
      uses: createUnnamed(places),
    };
  });
}

const createUnnamed = (places: readonly Location[]) => places.map((place) => ({ name: "", place }));

/** Lists the environment variables that provide values for the target. */
export function listVariablesUsed(target: ReplicationTarget, env: NodeJS.ProcessEnv): string[] {
  const names = [...collectBodies(target, "env").keys()].map((body) => parseVariable(body)[0]);
  return names.map((name) => chooseVariableFor(name, env)).toSorted();
}

/** Finds the names in placeholders of a kind, with their locations. */
function collectBodies(target: ReplicationTarget, kind: string): Map<string, Location[]> {
  const found: { readonly body: string; readonly place: Location }[] = [];
  mapLeaves(target.now().tree, (leaf) => {
    for (const piece of listPlaceholdersIn(leaf))
      if (piece.kind === kind) found.push({ body: piece.body, place: getLocation(leaf.at) });
    return leaf;
  });
  return new Map(
    [...groupBy(found, ({ body }) => body)].map(([body, of]) => [body, of.map(({ place }) => place)]),
  );
}
