/** Reads both sources at the same time. */
import { existsSync } from "node:fs";
import type { KnownNames } from "../../../provider/index.js";
import { AutomationError } from "../../errors.js";
import { getKnownPeople } from "../../export/people-file.js";
import { openReadingProgress, type ReadingProgress } from "../../export/read-workspace.js";
import type { ExportScope } from "../../export/scope.js";
import type { Port } from "../../port.js";
import { findBackend, mayHaveStacks } from "../../stack/backend.js";
import { findProject } from "../../stack/project.js";
import { type ComparedSource, type Includes, joinSteps } from "../compared-source.js";
import { readFileSource } from "./file.js";
import type { LiveReading } from "./live.js";
import type { SourceSpec, StackSpec } from "./source-spec.js";

interface Reading extends Pick<LiveReading, "scope"> {
  /** Further folders that placeholders and includes may read from. */
  readonly allowPaths: readonly string[] | undefined;
  /** Workspace file whose project may have the stacks of the connections. */
  readonly file: string;
  /** Files with the e-mail addresses of members, where the service hides them; one for each source. */
  readonly people: readonly [string | undefined, string | undefined];
}

/** @throws {WorkspaceFileError} when a file is invalid, before any request */
export async function readSources(
  [left, right]: readonly [SourceSpec, SourceSpec],
  { scope, allowPaths, file: projectFile, people }: Reading,
  io: Port,
): Promise<readonly [ComparedSource, ComparedSource]> {
  const prepare = (spec: SourceSpec, file: string | undefined) => {
    const state = parseStackOfPeople(spec, file);
    const likely = file === undefined ? findLikelyStack(spec, projectFile, scope, io) : undefined;
    const names: KnownNames = state === undefined ? readPeople(spec, file, scope) : new Map();
    const ready = spec.kind === "file" ? readFileSource(spec, allowPaths, io) : undefined;
    return async (progress: ReadingProgress): Promise<ComparedSource> => {
      if (spec.kind === "connection") {
        const stacks = await import("./stack.js");
        const known =
          (state && (await stacks.readPeopleOfStack(state, io))) ??
          (likely && (await stacks.readPeopleOfLikelyStack(likely, io)));
        const reading = { scope, progress };
        return (await import("./live.js")).readLiveSource(spec, reading, known ?? (() => names), io);
      }
      return ready ?? (await import("./stack.js")).stackSource(spec as StackSpec, io);
    };
  };
  const reads = [prepare(left, people[0]), prepare(right, people[1])] as const;
  const progress = await openReadingProgress(io);
  try {
    const [one, other] = await Promise.all([reads[0](progress), reads[1](progress)]);
    const { includes } = scope;
    return await Promise.all([
      withHiddenObjects(one, other, includes),
      withHiddenObjects(other, one, includes),
    ]);
  } finally {
    progress.end();
  }
}

/** The stack whose state knows the members: `stack:NAME@FILE` in the place of a file. */
function parseStackOfPeople({ kind }: SourceSpec, people: string | undefined): StackSpec | undefined {
  const [, stack, file] = /^stack:([^@]+)@(.+)$/.exec(people ?? "") ?? [];
  if (kind !== "connection" || stack === undefined || file === undefined) return undefined;
  return { kind: "stack", name: stack, stack, file };
}

/** The stack with the name of the connection, in the project of the workspace file: its state may know the members. */
function findLikelyStack(
  spec: SourceSpec,
  file: string,
  { enters }: ExportScope,
  io: Port,
): StackSpec | undefined {
  if (spec.kind !== "connection" || spec.connection === undefined || !existsSync(file)) return undefined;
  const project = findProject(file);
  if (!enters("WorkspaceMember") || !mayHaveStacks(project, findBackend(project, io.env))) return undefined;
  return { kind: "stack", name: spec.connection, stack: spec.connection, file };
}

function readPeople({ kind, name }: SourceSpec, people: string | undefined, scope: ExportScope): KnownNames {
  if (people === undefined) return new Map();
  if (kind !== "connection")
    throw new AutomationError(
      `the option --people ${people} is only for a live workspace, but ${name} is a ${kind}`,
      "omit the option",
    );
  if (!existsSync(people))
    throw new AutomationError(
      `there is no file ${people}`,
      `run "workspacectl export -c ${name} --people ${people}" to create one to fill in`,
    );
  return getKnownPeople({ people }, scope);
}

/** Asks a live source for top-level objects that only the other one has, because its lists may hide them from the caller. */
async function withHiddenObjects(
  side: ComparedSource,
  other: ComparedSource,
  includes: Includes,
): Promise<ComparedSource> {
  if (side.hiddenOf === undefined) return side;
  const there = new Set([...side.objects, ...side.omitted].map(({ steps }) => joinSteps(steps)));
  const expected = other.objects.flatMap(({ definition, steps, hiddenKey }) => {
    const [step, ...below] = steps;
    const name = joinSteps(steps);
    const asked = step !== undefined && below.length === 0 && !hiddenKey && includes({ definition, name });
    return asked && !there.has(name) ? [{ type: definition.type, key: step.key }] : [];
  });
  const gaps = await side.hiddenOf(expected);
  return gaps.length === 0 ? side : { ...side, gaps: [...side.gaps, ...gaps] };
}
