/** Reads a live workspace as a source. */
import { ServiceError } from "../../../client/index.js";
import { pickDefined, UNKNOWN } from "../../../diff/values.js";
import {
  type DiscoveredObject,
  discoverWorkspace,
  type Discovery,
  type Fields,
  listHiddenAt,
  validateArgs,
} from "../../../provider/index.js";
import { getAddress } from "../../../resources/definition/context.js";
import type { DocumentKind } from "../../../resources/definition/placement.js";
import { describeReading, withService } from "../../connection/api-client.js";
import { AutomationError } from "../../errors.js";
import type { ReadingProgress } from "../../export/read-workspace.js";
import type { ExportScope } from "../../export/scope.js";
import type { Port } from "../../port.js";
import { type ComparedSource, type SourceFacts, UnknownValue } from "../compared-source.js";
import { SourceReader } from "./reader.js";
import type { ConnectionSpec } from "./source-spec.js";
import type { PeopleAt } from "./stack.js";

export interface LiveReading {
  readonly scope: ExportScope;
  readonly progress: ReadingProgress;
}

/** Reads the workspace of a connection. Writes nothing. */
export function readLiveSource(
  spec: ConnectionSpec,
  { scope, progress }: LiveReading,
  peopleAt: PeopleAt,
  io: Port,
): Promise<ComparedSource> {
  const { name } = spec;
  return withService(spec, io, async ({ connection, workspace: domain }) => {
    const workspace = await domain();
    const { onObject, onList, onClient: onWait } = progress;
    const names = peopleAt(getAddress(connection.baseUrl, workspace));
    const options = { ...scope, names, onObject, onList };
    const reading = describeReading(io);
    const there = { ...connection, workspace };
    const found = await discoverWorkspace(there, options, { ...reading, onWait }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      throw new AutomationError(`${name}: ${error.message}`, error.remedy, {
        code: error.code,
        cause: error,
      });
    });
    const { baseUrl, name: called } = connection;
    const own = pickDefined({ connection: called });
    const source = buildSourceOfDiscovery(found, { name, kind: "connection", ...own, workspace, baseUrl });
    return { ...source, hiddenOf: (expected) => listHiddenAt(there, expected, reading) };
  });
}

/** Converts what was discovered to the common form. */
function buildSourceOfDiscovery(found: Discovery, facts: SourceFacts): ComparedSource {
  const describe = (one: DiscoveredObject) => ({
    ...one,
    definition: one.definition as DocumentKind,
    number: String(one.outputs[one.definition.identity.state]),
    unknown: markHiddenValues(one.definition as DocumentKind, one),
  });
  const [objects, omitted] = [found.objects.map(describe), found.omitted.map(describe)];
  const reader = new SourceReader([...objects, ...omitted]);
  const { gaps, sections } = found;
  return {
    facts,
    objects: objects.flatMap((one) => reader.objects(one)),
    omitted: omitted.flatMap((one) => reader.objects(one)),
    gaps,
    sections,
    unordered: new Set(),
  };
}

/** Represents values that the service never returns. */
function markHiddenValues(kind: DocumentKind, { args, unseen }: DiscoveredObject): Fields {
  const writeOnly = kind.writeOnly(args);
  const needed = writeOnly.length === 0 ? new Set() : listNeededArgs(kind, args);
  const never = "the service never returns it";
  return Object.fromEntries([
    ...unseen.map((arg) => [arg, new UnknownValue("the service does not return it", "maybe")]),
    ...writeOnly.map((arg) => [arg, new UnknownValue(never, needed.has(arg) ? "needed" : "maybe")]),
    ...kind
      .masked(args)
      .filter((arg) => args[arg] !== undefined)
      .map((arg) => [arg, new UnknownValue("the service returns it only in encrypted form", "there")]),
  ]) as Fields;
}

/** Arguments without which the object could not exist. */
function listNeededArgs(kind: DocumentKind, args: Fields): Set<unknown> {
  const unknownParents = Object.values(kind.document.under).flatMap((arg) =>
    arg === null ? [] : [[arg, UNKNOWN]],
  );
  const problems = validateArgs(kind, { ...Object.fromEntries(unknownParents), ...args } as Fields);
  return new Set(problems.filter(({ code }) => code === "required").map(({ path }) => path[0]));
}
