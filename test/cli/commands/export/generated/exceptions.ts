/** Lists everything that an export or a copy cannot contain, with reasons, so that nothing else is overlooked. */
import type { Settings as EmulatorSettings } from "../../../../../emulator/settings.js";
import { listSecretsIn } from "../../../../../provider/index.js";
import type { Manner } from "./exported.js";
import type { ShownObject } from "./shown.js";

type Excuse = (object: ShownObject) => string | undefined;

type Known = Pick<
  EmulatorSettings,
  "echoMemberEmail" | "embeddedActions" | "listedActions" | "singleActionPaths"
>;

const OWNER = "owner@example.com";

/** Returns the reason why an export does not declare an object. */
export function notExported(
  objects: readonly ShownObject[],
  settings: Known,
  { branches }: Pick<Manner, "branches">,
): Excuse {
  const twins = twinsIn(objects);
  const halved = new Set(
    objects.filter(holdsHalf).map(({ type, names }) => JSON.stringify([type, ...names])),
  );
  const bare = new Set(objects.filter(isBare).map(({ names }) => JSON.stringify(names)));
  const withNumber = new Set(objects.filter(holdsNumericSecret).map(({ names }) => JSON.stringify(names)));
  const hidesFields =
    !settings.singleActionPaths &&
    settings.embeddedActions === "summary" &&
    settings.listedActions === "summary";
  const withList = new Set(objects.filter(hasOwnVariables).map(({ names }) => JSON.stringify(names)));
  return ({ type, names, says }) => {
    if (names.includes(OWNER)) return "the owner and the calling user are there without being declared";
    if (type === "PermissionSet" && ["Developer", "Read-only"].includes(names[0] ?? ""))
      return "built in; a second one of that name cannot be told from it";
    if (type === "WorkspaceMember" && !settings.echoMemberEmail) return "nothing shows the address to invite";
    if (type === "WorkspaceMember" && !isAddress(names[0] ?? ""))
      return "an address that nobody could invite by a file";
    if (type === "Branch" && (!branches || names[1] === "main")) return "not asked for, or there by itself";
    if (type === "Project" && (names[0] === "." || names[0] === "..")) return "no path leads to it";
    if (hidesFields && (type === "Action" || (type === "Variable" && names.length === 4)))
      return "nothing shows more of an action than its common fields";
    if (!settings.singleActionPaths && bare.has(JSON.stringify(names.slice(0, 3))) && type !== "Branch")
      return "of a type that nobody knows and without fields: without a path of its own it looks like a summary";
    const action = JSON.stringify(names.slice(0, 3));
    if ((type === "Action" || type === "Variable") && withNumber.has(action))
      return "a secret in its fields is a number, and the value of a placeholder is a string";
    if (
      halved.has(JSON.stringify([type, ...names])) ||
      halved.has(JSON.stringify(["Action", ...names.slice(0, -1)]))
    )
      return "half of a character: neither a file nor Pulumi's engine can hold it";
    if (isKey(type, names, says))
      return "no key of a file may be called so, for the sake of the programs that read it";
    if (type === "Variable" && withList.has(JSON.stringify(names.slice(0, -1))))
      return "in addition to its action's own list of variables: a file cannot contain both";
    for (let length = names.length; length > 0; length -= 1)
      if (twins(type, names, length)) return "two of one name: a file cannot tell them apart";
    return undefined;
  };
}

/** Checks for half a surrogate pair, which JSON can contain. */
function holdsHalf({ says }: ShownObject): boolean {
  return /\\u[dD][89a-fA-F]/.test(JSON.stringify(says));
}

const common = ["name", "type", "trigger_time", "run_only_on_first_failure", "integration"];

/** Checks for an action without fields of its own. */
function isBare({ type, says }: ShownObject): boolean {
  return (
    type === "Action" && Object.keys(says).every((field) => common.includes(field) || says[field] === null)
  );
}

/** Checks for an action with a number as a secret, which is omitted if the action requires the field. */
function holdsNumericSecret({ type, says }: ShownObject): boolean {
  return type === "Action" && listSecretsIn(says).some((secret) => typeof secret === "number");
}

/**
 * Checks for `__proto__` as a key of the file or as a referenced name. Action names are not keys, since actions are in
 * a list.
 */
function isKey(type: string, names: readonly string[], says: ShownObject["says"]): boolean {
  const inList = type === "Action" || (type === "Variable" && names.length === 4);
  return (
    says["set"] === "__proto__" ||
    names.some((name, index) => name === "__proto__" && !(inList && index === 2))
  );
}

/** Checks for the field `variables` of an AGENT action, which exists next to the variables of every action. */
function hasOwnVariables({ type, says }: ShownObject): boolean {
  const { variables } = says;
  return type === "Action" && says["type"] === "AGENT" && Array.isArray(variables) && variables.length > 0;
}

/** Returns the reason why a copy does not contain an object. */
export function notCopied(objects: readonly ShownObject[], settings: Known): Excuse {
  return notExported(objects, settings, { branches: false });
}

/** Checks whether the object or one of its parents shares its name with another object. */
function twinsIn(
  objects: readonly ShownObject[],
): (type: string, names: readonly string[], length: number) => boolean {
  const ways: Readonly<Record<string, readonly string[]>> = {
    Group: ["Group"],
    GroupMember: ["Group"],
    PermissionSet: ["PermissionSet"],
    Project: ["Project"],
    ProjectMember: ["Project"],
    Branch: ["Project"],
    Pipeline: ["Project", "Pipeline"],
    Action: ["Project", "Pipeline", "Action"],
    Variable: ["Project", "Pipeline", "Action"],
  };
  const times = new Map<string, number>();
  const keyOf = (type: string, names: readonly string[]) => JSON.stringify([type, ...names]);
  for (const { type, names } of objects)
    times.set(keyOf(type, names), (times.get(keyOf(type, names)) ?? 0) + 1);
  const isTwin = (type: string, names: readonly string[]) => (times.get(keyOf(type, names)) ?? 0) > 1;
  return (type, names, length) => {
    if (length === names.length && isTwin(type, names)) return true;
    const parent = ways[type]?.[length - 1];
    return (
      parent !== undefined &&
      (length < names.length || parent === type) &&
      isTwin(parent, names.slice(0, length))
    );
  };
}

function isAddress(text: string): boolean {
  return /^[A-Za-z0-9.'_+-]+@[A-Za-z0-9.-]+\.[a-z]{2,}$/.test(text);
}
