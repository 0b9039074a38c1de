/** Finds what the entries of a file allow that they did not at the last `up`: less protection, fewer watched properties, and replacements that lose data. */
import type { LoadedFile } from "../../../workspace-file/load/load.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import type { Loosened } from "./types.js";

/** What entries allow, by type and logical name, and by setting. */
export type RecordedEntry = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Declared = Pick<LoadedFile["declarations"][number], "name" | "definition" | "args" | "ignoreChanges">;

/** Records what only the file knows of its entries. The state contains the rest. */
export function recordEntries(declarations: readonly Declared[]): RecordedEntry {
  return Object.fromEntries(
    declarations.flatMap(({ name, definition, args, ignoreChanges }) => {
      const permitted = definition.permits.flatMap((setting) =>
        args[setting] === undefined ? [] : [[setting, args[setting]] as const],
      );
      const ignored = ignoreChanges.length === 0 ? [] : [[IGNORED, ignoreChanges.toSorted()] as const];
      const settings = [...permitted, ...ignored];
      return settings.length === 0 ? [] : [[`${definition.type} ${name}`, Object.fromEntries(settings)]];
    }),
  );
}

const IGNORED = "ignoreChanges";

/**
 * Lists what is looser about objects that exist.
 * @param before undefined where no `up` has recorded it
 */
export function listLooserEntries(
  objects: readonly PlannedObject[],
  before: RecordedEntry | undefined,
  now: RecordedEntry = {},
): Loosened[] {
  const staying = objects.filter(({ operation }) => !NEW_OR_GONE.includes(operation));
  const losing = (is: (object: PlannedObject) => unknown) =>
    staying.filter((one) => is(one)).map(({ name }) => name);
  return [
    ...describeSwitch(
      "protect",
      true,
      losing(({ losesProtection }) => losesProtection),
    ),
    ...describeSwitch(
      "retain",
      true,
      losing(({ retention }) => retention === "ends"),
    ),
    ...describeSwitch(
      "retain",
      false,
      losing(({ retention }) => retention === "begins"),
    ),
    ...(before === undefined ? [] : staying.flatMap((one) => listLooser(one, before, now))),
  ];
}

/** They had nothing to lose. */
const NEW_OR_GONE: readonly PlannedObject["operation"][] = ["create", "adopt", "delete", "release"];

function describeSwitch(setting: string, before: boolean, objects: readonly string[]): Loosened[] {
  return objects.length === 0 ? [] : [{ setting, before, now: !before, objects }];
}

function listLooser({ type, name }: PlannedObject, before: RecordedEntry, now: RecordedEntry): Loosened[] {
  const was = before[`${type} ${name}`] ?? {};
  return Object.entries(now[`${type} ${name}`] ?? {}).flatMap(([setting, value]) => {
    const known = was[setting] ?? null;
    const isLooser = Array.isArray(value)
      ? value.some((path) => !Array.isArray(known) || !known.includes(path))
      : value !== known;
    return isLooser ? [{ setting, before: known, now: value, objects: [name] }] : [];
  });
}

/** Says what is looser about objects. */
export function formatLooserEntry({ setting, now, objects = [] }: Loosened, values: string): string {
  const are = objects.length === 1 ? "is" : "are";
  const names = objects.join(", ");
  if (setting === "protect") return `protect: ${names} ${are} no longer protected`;
  if (setting !== "retain") return `${setting}: ${names}: ${values}`;
  const what = now === true ? "released instead of deleted" : "deleted instead of released";
  return `retain: ${names} ${are} from now on ${what}, if removed from the file`;
}
