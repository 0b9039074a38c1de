/** Reads a live workspace as a source. */
import { ServiceError } from "../../../../client/index.js";
import { UNKNOWN } from "../../../../diff/values.js";
import {
  hiddenAt,
  mapReferences,
  discoverWorkspace,
  validateArgs,
  type Fields,
  type KnownNames,
  type Discovery,
  type DiscoveredObject,
} from "../../../../provider/index.js";
import { CliError } from "../../../errors.js";
import type { ReadingProgress } from "../../export/progress.js";
import { WHOLE_HOUR_MS } from "../../export/read.js";
import type { Scope } from "../../export/scope.js";
import type { Io } from "../../../terminal/io.js";
import { debugLines, withService } from "../../../connection/api-client.js";
import {
  ReferenceValue,
  numbered,
  UnknownValue,
  type Kind,
  type ComparedSource,
  type SourceFacts,
  type SourceObject,
  type PathStep,
} from "../object.js";
import { normalized } from "../normalize.js";
import type { ConnectionSpec } from "../specs.js";

export interface LiveReading {
  readonly scope: Scope;
  /** Names that the service hides. */
  readonly names: KnownNames;
  /** Wait for the rate limit to reset. */
  readonly wait: boolean;
  readonly progress: Pick<ReadingProgress, "onObject" | "onList" | "onClient">;
}

/** Reads the workspace of a connection. Writes nothing. */
export async function liveSource(
  spec: ConnectionSpec,
  reading: LiveReading,
  io: Io,
): Promise<ComparedSource> {
  const { scope, names, wait, progress } = reading;
  const { name, connection: wanted, workspace: domain } = spec;
  const options = {
    ...(wanted === undefined ? {} : { connection: wanted }),
    ...(domain === undefined ? {} : { workspace: domain }),
  };
  return withService(options, io, async ({ connection, workspace }) => {
    const at = await workspace();
    const there = { ...connection, workspace: at };
    const debug = debugLines(io);
    const { onObject, onList, onClient } = progress;
    const client = {
      onProgress: onClient,
      ...(wait ? { rateLimit: { maxWaitMs: WHOLE_HOUR_MS } } : {}),
    };
    const options = { ...scope, names, onObject, onList, client };
    const survey = await discoverWorkspace(there, options, debug).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const remedy = error.code === "rate-limited" && !wait ? ", or add --wait" : "";
      throw new CliError(`${name}: ${error.message}${remedy}`, undefined, { cause: error });
    });
    const { baseUrl, name: called } = connection;
    const side = sourceOfSurvey(survey, {
      name,
      kind: "connection",
      ...(called === undefined ? {} : { connection: called }),
      workspace: at,
      baseUrl,
    });
    return { ...side, hiddenOf: (expected) => hiddenAt(there, expected, debug) };
  });
}

/** Converts a survey to the common form. */
export function sourceOfSurvey(survey: Discovery, facts: SourceFacts): ComparedSource {
  const reading = new Reading([...survey.objects, ...survey.omitted]);
  const objects = survey.objects.map((one) => reading.object(one));
  const omitted = survey.omitted.map((one) => reading.object(one));
  const { gaps, sections } = survey;
  return { facts, objects, omitted, gaps, sections, unordered: new Set() };
}

class Reading {
  private readonly byNumber = new Map<string, DiscoveredObject>();
  private readonly stepsOf = new Map<string, readonly PathStep[]>();

  constructor(private readonly all: readonly DiscoveredObject[]) {
    for (const one of all) {
      const number = one.outputs[one.definition.identity.state];
      this.byNumber.set(`${one.definition.type} ${String(number)}`, one);
    }
  }

  object(surveyed: DiscoveredObject): SourceObject {
    const { outputs, args } = surveyed;
    const kind = surveyed.definition as Kind;
    const { htmlUrl, name } = outputs;
    // People who have not signed in yet have no name.
    const titled = Object.hasOwn(kind.outputs, "name") && typeof name === "string" && name !== "";
    const shown = { ...this.withNames(kind, args), ...hiddenValues(kind, surveyed) };
    return {
      definition: kind,
      steps: this.steps(surveyed),
      args: normalized(kind, surveyed.key, shown),
      ...(typeof args[kind.document.keyedBy] === "string" ? {} : { hiddenKey: true }),
      ...(titled ? { title: name } : {}),
      number: String(outputs[kind.identity.state]),
      ...(typeof htmlUrl === "string" ? { link: htmlUrl } : {}),
    };
  }

  private steps(one: DiscoveredObject): readonly PathStep[] {
    const known = this.stepsOf.get(one.name);
    if (known !== undefined) return known;
    const { document, references, type } = one.definition as Kind;
    const holder = one.name.split("/").slice(0, -2).join("/");
    const above = holder === "" ? [] : (this.stepsOf.get(holder) ?? this.stepsOfName(holder));
    const to = references[document.keyedBy]?.to;
    const of =
      to === undefined ? undefined : this.byNumber.get(`${to} ${String(one.args[document.keyedBy])}`);
    const step = { section: document.section, type, key: of?.key ?? one.key, ...(to ? { to } : {}) };
    const steps = [...above, step];
    this.stepsOf.set(one.name, steps);
    return steps;
  }

  private stepsOfName(name: string): readonly PathStep[] {
    const found = this.all.find((one) => one.name === name);
    return found === undefined ? [] : this.steps(found);
  }

  private withNames(kind: Kind, args: Fields): Fields {
    const named = Object.entries(kind.references)
      .filter(([arg]) => args[arg] !== undefined && args[arg] !== null)
      .map(([arg, reference]) => [
        arg,
        mapReferences(reference, args[arg], ({ to }, value) => this.named(to, value)),
      ]);
    return { ...args, ...Object.fromEntries(named) } as Fields;
  }

  private named(to: string, value: unknown): unknown {
    if (typeof value === "string") return new ReferenceValue(to, value);
    if (typeof value !== "number") return value;
    const found = this.byNumber.get(`${to} ${value}`);
    return found === undefined ? numbered(to, value) : new ReferenceValue(to, found.key);
  }
}

/** Represents values that the service never returns. */
function hiddenValues(kind: Kind, { args, unseen }: DiscoveredObject): Fields {
  const writeOnly = kind.writeOnly(args);
  const needed = writeOnly.length === 0 ? new Set() : neededArgs(kind, args);
  const never = "the service never shows it";
  return Object.fromEntries([
    ...unseen.map((arg) => [arg, new UnknownValue("the service does not show it", "maybe")]),
    ...writeOnly.map((arg) => [arg, new UnknownValue(never, needed.has(arg) ? "needed" : "maybe")]),
    ...kind
      .masked(args)
      .filter((arg) => args[arg] !== undefined)
      .map((arg) => [arg, new UnknownValue("the service shows it encrypted only", "there")]),
  ]) as Fields;
}

/** Arguments without which the object could not exist. */
function neededArgs(kind: Kind, args: Fields): Set<unknown> {
  const place = Object.values(kind.document.under).flatMap((arg) => (arg === null ? [] : [[arg, UNKNOWN]]));
  const problems = validateArgs(kind, { ...Object.fromEntries(place), ...args } as Fields);
  return new Set(problems.filter(({ code }) => code === "required").map(({ path }) => path[0]));
}
