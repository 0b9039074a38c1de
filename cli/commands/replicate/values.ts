/** Placeholders whose values are not set for the target. */
import { mapLeaves, piecesOf, locationOf, type Location } from "../../../workspace-file/index.js";
import { readDocument } from "../../../workspace-file/load/index.js";
import { configuredKeys, findProject } from "../../engine/stack/project.js";
import type { MissingPrerequisite } from "./missing.js";
import type { Target } from "./target.js";

/** Variables of the environment (and files) that placeholders name and that are not there. */
export function missingVariables(target: Target, env: NodeJS.ProcessEnv): MissingPrerequisite[] {
  const { problems } = readDocument(target.options.file, { ...target.reading, env, mock: "config" });
  const places = new Map<string, Location[]>();
  for (const { place, message } of problems) places.set(message, [...(places.get(message) ?? []), place]);
  return [...places].map(([message, of]) => {
    const [, why = message, remedy = "mend the file"] = /^(.*?): (.*)$/s.exec(message) ?? [];
    return { what: "placeholder", why, remedy, uses: unnamed(of) };
  });
}

/** Keys of the stack's configuration that placeholders name and that it has not. */
export function missingConfiguration(target: Target): MissingPrerequisite[] {
  const { file, stack } = target.options;
  const project = findProject(file);
  const known = configuredKeys(project, stack);
  if (known === undefined) return [];
  return [...bodiesOf(target, "config")].flatMap(([key, places]) => {
    if (known.has(key.includes(":") ? key : `${project.name}:${key}`)) return [];
    const where = project.own ? ", beside a Pulumi.yaml" : "";
    return {
      what: `configuration ${key}`,
      why: `not set for stack ${stack}`,
      remedy: `workspacectl config set ${key} VALUE --stack ${stack} (for a secret: --secret, and no value)${where}`,
      uses: unnamed(places),
    };
  });
}

const unnamed = (places: readonly Location[]) => places.map((place) => ({ name: "", place }));

/** Variables of the environment from which the target gets values. */
export function variablesUsed(target: Target): string[] {
  return [...bodiesOf(target, "env").keys()].map((body) => body.split(":-")[0] ?? body).toSorted();
}

/** What placeholders of a kind name, and where. */
function bodiesOf(target: Target, kind: string): Map<string, Location[]> {
  const keys = new Map<string, Location[]>();
  mapLeaves(target.now().tree, (leaf) => {
    for (const piece of leaf.written === undefined ? [] : piecesOf(leaf.written))
      if (typeof piece === "object" && piece.kind === kind)
        keys.set(piece.body, [...(keys.get(piece.body) ?? []), locationOf(leaf.at)]);
    return leaf;
  });
  return keys;
}
