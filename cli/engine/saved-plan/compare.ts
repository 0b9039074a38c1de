/** Compares a saved plan with the current one. */
import { stableJson } from "../../../diff/values.js";
import type { SavedPlan } from "./schema.js";

/** Maximum number of names listed. */
const NAMED = 5;

/** Finds another stack, project or workspace, before the workspace is read. */
export function otherTarget(
  saved: SavedPlan,
  now: Pick<SavedPlan, "stack" | "project" | "workspace" | "baseUrl" | "file">,
): string[] {
  const words = {
    project: "project",
    stack: "stack",
    baseUrl: "address",
    workspace: "workspace",
    file: "workspace file",
  };
  return (Object.keys(words) as (keyof typeof words)[])
    .filter((key) => saved[key] !== now[key])
    .map(
      (key) => `the ${words[key]} is ${now[key] ?? "unknown"}, and the plan is for ${saved[key] ?? "none"}`,
    );
}

export function tooOld(saved: SavedPlan, maxAgeMs: number | undefined, now: Date): string[] {
  if (maxAgeMs === undefined) return [];
  const age = now.getTime() - Date.parse(saved.createdAt);
  return age <= maxAgeMs
    ? []
    : [`the plan was made ${saved.createdAt}, which is longer ago than --max-age allows`];
}

type Files = Pick<SavedPlan, "files">;

export function changedFiles(saved: Files, now: Files): string[] {
  return told("changed in the file", namesThatDiffer(byPath(saved), byPath(now)));
}

/** Lists what has changed since: declared values, state, workspace and steps. */
export function planDifferences(saved: SavedPlan, now: SavedPlan): string[] {
  if (saved.declared.key !== now.declared.key)
    return [
      "whether the declared values are the same cannot be verified: preview and up need the same passphrase " +
        "(PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE), or without one the same token, which a login by OAuth is not",
    ];
  const declared = namesThatDiffer(saved.declared.objects, now.declared.objects);
  const state = namesThatDiffer(saved.state, now.state);
  const live = saved.live && now.live ? namesThatDiffer(saved.live, now.live) : [];
  const found = [
    // The digest covers the content of a file, but no value of the environment.
    told("another value is declared (by the environment, or another overlay)", declared),
    told("changed in the state", state),
    told(
      "changed in the workspace",
      live.filter((name) => !state.includes(name)),
    ),
  ].flat();
  if (found.length > 0) return found;
  const steps = namesThatDiffer(byName(saved.steps), byName(now.steps));
  const drift = namesThatDiffer(byName(saved.drift), byName(now.drift));
  return [told("something else would be done", steps), told("changed outside", drift)].flat();
}

type Digests = Readonly<Record<string, unknown>>;

function namesThatDiffer(a: Digests, b: Digests): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names]
    .filter((name) => stableJson(a[name]) !== stableJson(b[name]) || name in a !== name in b)
    .sort();
}

function told(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  return [`${what}: ${names.slice(0, NAMED).join(", ")}${more}`];
}

function byPath({ files }: Files): Digests {
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]));
}

/** Omits fingerprints of secrets, which differ without the same key. */
function byName(items: readonly { readonly type: string; readonly name: string }[]): Digests {
  const plain = JSON.parse(
    JSON.stringify(items).replaceAll(/\[secret [0-9a-f]+\]/g, "[secret]"),
  ) as typeof items;
  return Object.fromEntries(plain.map((item) => [item.name, item]));
}
