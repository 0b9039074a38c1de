/** Finds what is missing in the target (external objects, values of placeholders, the meaning of ids), and reports all of it before anything is written. */
import { stringify } from "yaml";
import { isServiceError } from "../../client/index.js";
import { stripControls } from "../../client/printable.js";
import { canonicalizeName, type Connection, Lookup, mapReferences } from "../../provider/index.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { groupBy } from "../../text/lists.js";
import { chooseVariableFor } from "../../trust/variables.js";
import {
  getLocation,
  getPositionAt,
  listPlaceholdersIn,
  type Location,
  mapLeaves,
  parseVariable,
} from "../../workspace-file/index.js";
import { type Entry, listEntries } from "../../workspace-file/load/entries.js";
import { readDocument } from "../../workspace-file/load/load.js";
import { type MappedSection, MAPPING_FILE } from "../compare/mapping-file.js";
import { describeReading } from "../connection/api-client.js";
import type { Port } from "../port.js";
import { findProject, readConfiguredKeys } from "../stack/project.js";
import type { ReplicationTarget } from "./target-document.js";

/** A use of something that is missing. */
export interface Use {
  /** Logical name of the object. */
  readonly name: string;
  readonly place: Location;
}

export interface MissingPrerequisite {
  /** Such as `integration "chat-main"`. */
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly uses: readonly Use[];
  /** An entry of the mapping file that would solve the problem. */
  readonly mapping?: MappingEntry;
}

export interface MappingEntry {
  readonly section: MappedSection;
  readonly key: string;
  /** The most likely counterpart. */
  readonly to: string | undefined;
  /** A comment with other candidates. */
  readonly comment: string;
}

/** Maximum number of uses that are named. */
const NAMED = 2;

/** Returns lines with what is missing, its uses and remedies, and the entries for the mapping file. */
export function formatMissingLines(
  missing: readonly MissingPrerequisite[],
  mappingFile: string | undefined,
): string[] {
  const lines = missing.flatMap(({ what, why, remedy, uses }) => [
    `${what}: ${why}`,
    ...uses.slice(0, NAMED).map(({ name, place }) => `    ${formatPlace(place)} ${name}`.trimEnd()),
    ...(uses.length > NAMED ? [`    and ${uses.length - NAMED} more`] : []),
    `    -> ${remedy}`,
  ]);
  const entries = missing.flatMap(({ mapping }) => mapping ?? []);
  const indented = lines.map((line) => `  ${stripControls(line)}`);
  if (entries.length === 0) return indented;
  const heading = `Add to ${mappingFile ?? MAPPING_FILE}:`;
  return [...indented, heading, ...formatMappingText(entries, mappingFile === undefined).map(stripControls)];
}

const formatPlace = ({ file, line, column }: Location) => `${file}:${line}:${column}`;

function formatMappingText(entries: readonly MappingEntry[], whole: boolean): string[] {
  const lines = [...groupBy(entries, ({ section }) => section)].flatMap(([section, of]) => [
    `${section}:`,
    ...of.map(({ key, to, comment }) => {
      // Without a value, the file is invalid until one is filled in.
      const value = to === undefined ? "" : ` ${stringify(to).trim()}`;
      return `  ${stringify(key).trim()}:${value}${comment === "" ? "" : ` # ${comment}`}`;
    }),
  ]);
  return ["", ...(whole ? ["version: 1"] : []), ...lines];
}

/** Finds external objects that are missing in the target's workspace. */
export async function findMissingExternals(
  target: ReplicationTarget,
  connection: Connection,
  to: string,
  io: Port,
): Promise<MissingPrerequisite[]> {
  const { tree } = target.now();
  const external = listEntries(tree).filter((entry) => entry.external);
  if (external.length === 0) return [];
  const base = target.base().tree;
  const common = { tree: base, entries: listEntries(base) };
  const lookup = new Lookup(connection, describeReading(io));
  try {
    const missing: MissingPrerequisite[] = [];
    // The children of a missing object are not reported.
    for (const entry of external) {
      const why = isIn(entry.parent, missing) ? undefined : await explainAbsence(lookup, entry, to);
      if (why === undefined) continue;
      const { name, path, definition } = entry;
      // --kinds made it external; the common file manages it.
      const managed = common.entries.find(
        (one) => canonicalizeName(one.name) === canonicalizeName(name) && !one.external,
      );
      const place = managed
        ? getLocation(getPositionAt(common.tree, managed.path, true))
        : getLocation(getPositionAt(tree, path, true));
      const uses = [{ name, place }];
      const remedy = managed
        ? `create it in ${to}, or add ${definition.type} to the watch list`
        : `create it in ${to}, declare it without "external", or remove it in ${target.overlayFile}`;
      missing.push({ what: `external ${entry.definition.noun} "${entry.key}"`, why, remedy, uses });
    }
    return missing;
  } finally {
    await lookup.close();
  }
}

async function explainAbsence(lookup: Lookup, entry: Entry, to: string): Promise<string | undefined> {
  try {
    return (await lookup.has(traceParents(entry))) ? undefined : `${to} has none with that name`;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return `it cannot be read in ${to}: ${error.message}`;
  }
}

/** Lists an entry's ancestors and itself, by their names at the service. */
function traceParents({ definition, key, written, parent }: Entry): Parameters<Lookup["has"]>[0] {
  const named = written[definition.document?.keyedBy ?? ""];
  const own = { definition, key: typeof named === "string" ? named : key };
  return [...(parent ? traceParents(parent) : []), own];
}

function isIn(parent: Entry | undefined, missing: readonly MissingPrerequisite[]): boolean {
  if (parent === undefined) return false;
  return missing.some(({ uses }) => uses[0]?.name === parent.name) || isIn(parent.parent, missing);
}

/** Finds references by id to objects that have a name: an id is meaningless in another workspace. */
export function findForeignNumbers(target: ReplicationTarget, from: string): MissingPrerequisite[] {
  const { tree, declared } = target.now();
  return declared.declarations.flatMap(({ definition, name, args, path }) => {
    const found: MissingPrerequisite[] = [];
    const note = (what: string, at: PropertyPath, remedy: string) => {
      const place = getLocation(getPositionAt(tree, [...path, ...at]));
      if (target.isOwn(place)) return;
      const why = `an id of ${from}, which refers to another object elsewhere, or to none`;
      found.push({ what, why, remedy, uses: [{ name, place }] });
    };
    for (const [arg, reference] of Object.entries(definition.references)) {
      mapReferences(reference, args[arg], (inner, value, at) => {
        const isName = typeof value !== "number" || inner.lookup === undefined || inner.to === "integration";
        if (!isName)
          note(
            `${arg} ${value}`,
            [arg, ...at],
            `use its name (declared, or external), or the number there in ${target.overlayFile}`,
          );
        return value;
      });
    }
    const { numberedBy } = definition.document ?? {};
    const number = numberedBy === undefined ? undefined : args[numberedBy];
    if (numberedBy !== undefined && typeof number === "number")
      note(
        `${numberedBy} ${number}`,
        [numberedBy],
        `remove it: a stack that contains the ${definition.noun} no longer needs it`,
      );
    return found;
  });
}

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
      remedy: `workspacectl config set ${key} VALUE --stack ${stack} (for a secret: --secret, and no value)${where}`,
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
