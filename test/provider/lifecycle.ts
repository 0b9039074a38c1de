/**
 * Tests the lifecycle of every resource type in the registry against the emulator, so that a new type needs
 * no test of its own. The expectations follow from the definition alone.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { isSameJson } from "../../diff/values.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { diffResource } from "../../provider/crud/diff.js";
import { buildClientOptions, type Definition, definitions } from "../../provider/index.js";
import { requestBody } from "../../resources/definition/api-names.js";
import { Context } from "../../resources/definition/context.js";
import { importForms, importId } from "../../resources/definition/import-id.js";
import { type Adapter, changedBetween, Engine, type State } from "./engine.js";
import { exampleSeed, withPrerequisites } from "./prerequisites.js";

type Props = Record<string, unknown>;

const packageSchema = JSON.parse(
  readFileSync(new URL("../../schema/pulumi.schema.json", import.meta.url), "utf8"),
) as { resources: Record<string, { inputProperties: object; required: readonly string[] }> };

interface Case {
  readonly title: string;
  readonly definition: Definition;
  readonly create: Props;
  readonly update: Props | undefined;
  readonly outside: Props | undefined;
  readonly replace: Props | undefined;
}

const cases: Case[] = definitions.flatMap((definition) => {
  const { type, examples, variants } = definition;
  const kinds = variants ? Object.entries(variants.of) : [["", undefined] as const];
  return kinds.map(([kind, variant]) => ({
    title: kind === "" ? type : `${type} ${kind}`,
    definition,
    create: { ...examples.create, ...variant?.examples.create },
    update: merged(examples.update, variant?.examples.update),
    outside: merged(examples.outside, variant?.examples.outside),
    replace: examples.replace,
  }));
});

function merged(a: Props | undefined, b: Props | undefined): Props | undefined {
  return a || b ? { ...a, ...b } : undefined;
}

/** A service, and how the provider reaches it. */
export interface LifecycleRun {
  readonly adapter: Adapter;
  readonly name: string;
  readonly options: EmulatorOptions;
  /** What a probe has measured at the service. */
  readonly behavior?: MeasuredBehavior | undefined;
}

/** Declares the tests of all types, at each of these services. */
export function describeLifecycle(runs: readonly LifecycleRun[]): void {
  describe.each([...runs])("by the $adapter provider, against $name", ({ adapter, options, behavior }) => {
    let emulator: Emulator;
    let engine: Engine;
    let outsider: Context;

    beforeAll(async () => {
      emulator = await startEmulator({ strictBodies: true, seed: exampleSeed, actionSeconds: 0, ...options });
      const { baseUrl, token, workspace } = emulator;
      engine = new Engine(baseUrl, token, workspace, adapter, behavior);
      const client = new WorkspaceAutomationClient({ baseUrl, token, ...buildClientOptions(behavior) });
      outsider = new Context(client, workspace, baseUrl);
    });
    afterAll(() => emulator.close());

    describe.each(cases)("$title", ({ definition, create, update, outside, replace }) => {
      const { type } = definition;
      let args: Props;
      let state: State;

      it("is created, and the next refresh shows no change", async () => {
        args = await withPrerequisites(engine, type, create);
        state = await engine.create(type, args);
        expect(Object.keys(state.outs)).toEqual(expect.arrayContaining(alwaysPresent()));
        await expectSettled();
      });

      if (adapter === "plugin" && importForms(definition).length > 0)
        it("is imported by its id, with a declaration that changes nothing", async () => {
          const id = importId(definition, emulator.workspace, state.outs);
          const imported = await engine.import(type, id);
          expect(imported.id).toBe(state.id);
          const shown = alwaysPresent().filter((name) => !definition.mayBeHidden.includes(name));
          expect(Object.keys(imported.outs)).toEqual(expect.arrayContaining(shown));
          const declarable = packageSchema.resources[`workspace-automation:index:${type}`]?.inputProperties;
          expect(Object.keys(declarable ?? {})).toEqual(expect.arrayContaining(Object.keys(imported.inputs)));
          expect(await engine.unchanged(imported)).toEqual({ failures: [], changes: false, replaces: [] });
          const seen = await engine.refresh(imported);
          expect(seen && changedBetween(imported, seen)).toEqual([]);
          // What has no natural key is no object of the service: the order of all actions, not only of the declared ones.
          if (definition.naturalKey.length === 0) return;
          // Nothing that the service shows of it is missing, and no number stands where the declaration has a name.
          const hidden = [
            ...[...definition.writeOnly(args), ...definition.masked(args), ...definition.clientOnly],
            ...definition.mayBeHidden,
            ...(args["exclusive"] === true ? ["exclusive", "members"] : []),
          ];
          const { changed } = diffResource(definition, imported.outs, args);
          expect(hidden).toEqual(expect.arrayContaining([...changed]));
        });

      it("has its secrets marked in the state", async () => {
        const secret = definition.secret(args).filter((name) => args[name] !== undefined);
        expect(state.secrets).toEqual(expect.arrayContaining([...secret]));
        expect((await engine.refresh(state))?.secrets).toEqual(state.secrets);
      });

      if (update)
        it("is updated in place with one request", async () => {
          emulator.journal.clear();
          const before = state.id;
          args = { ...args, ...(await withPrerequisites(engine, type, update)) };
          emulator.journal.clear();
          state = await engine.up(state, args);
          expect(state.id).toBe(before);
          expect(writes()).toEqual([expect.stringMatching(/^(PATCH|PUT)$/)]);
          await expectSettled();
        });

      if (outside)
        it("shows an outside edit as a change, and restores it with one request", async () => {
          await editFromOutside(outside);
          const seen = await engine.refresh(state);
          expect(seen && changedArgs(state, seen)).toEqual(Object.keys(outside));
          expect((await engine.diff(seen ?? state, args)).changes).toBe(true);

          emulator.journal.clear();
          state = await engine.up(seen ?? state, args);
          expect(writes()).toHaveLength(1);
          await expectSettled();
        });

      if (definition.naturalKey.length > 0)
        it("is not created twice: a second resource is refused, or adopts the object without a write", async () => {
          const refusal = definition.adoptsExisting
            ? "adopt: true"
            : await engine.create(type, args).catch((error: Error) => error.message);
          expect(refusal).toMatch(/adopt: true/);
          // The message prints only those parts of the key that exist.
          expect(refusal).not.toMatch(/undefined|null|NaN|\[object/);
          emulator.journal.clear();
          const found = Object.entries(definition.examples.adopt ?? {}).map(([arg, out]) => [
            arg,
            state.outs[out],
          ]);
          const adopted = await engine.create(type, {
            ...args,
            ...(Object.fromEntries(found) as Props),
            ...(definition.adoptsExisting ? {} : { adopt: true }),
          });
          expect(adopted.id).toBe(state.id);
          const blind = [...definition.writeOnly(args), ...definition.masked(args)].some(
            (name) => args[name] !== undefined,
          );
          if (!blind)
            expect(emulator.journal.writes().filter((request) => request.method !== "POST")).toEqual([]);
        });

      if (replace)
        it("is replaced when a change requires it", async () => {
          const others = await withPrerequisites(engine, type, replace);
          const { replaces } = await engine.diff(state, { ...args, ...others });
          expect(Object.keys(others)).toEqual(expect.arrayContaining(replaces));
          expect(replaces).not.toEqual([]);
          const old = state;
          args = { ...args, ...others };
          state = await engine.up(state, args);
          if (!definition.ephemeral) expect(state.id).not.toBe(old.id);
          if (!definition.ephemeral && state.id !== old.id) expect(await engine.refresh(old)).toBeUndefined();
          await expectSettled();
        });

      it("is deleted, and a second delete succeeds", async () => {
        await engine.delete(state);
        // A type without a natural key has no object in the service that could be deleted.
        if (definition.naturalKey.length > 0) expect(await engine.refresh(state)).toBeUndefined();
        await engine.delete(state);
      });

      /** Returns the outputs that a program in a language with strict types reads without a check. */
      function alwaysPresent(): string[] {
        return [...(packageSchema.resources[`workspace-automation:index:${type}`]?.required ?? [])];
      }

      /** Returns the methods of the requests that write. */
      function writes(): string[] {
        const { requests } = emulator.journal;
        return requests.map((request) => request.method).filter((method) => method !== "GET");
      }

      async function expectSettled(): Promise<void> {
        const seen = await engine.refresh(state);
        expect(seen).toBeDefined();
        expect(seen && changedBetween(state, seen)).toEqual([]);
        const { changes, replaces } = await engine.diff(seen ?? state, args);
        expect({ changes, replaces }).toEqual({ changes: false, replaces: [] });
      }

      async function editFromOutside(edit: Props): Promise<void> {
        const at = { ...state.outs, ...edit };
        const ids = await outsideIds(edit);
        const body = requestBody(
          definition,
          { ...at, ...ids },
          [...definition.forceSend(at), ...Object.keys(edit)],
          false,
        );
        const fresh = new Context(outsider.api, outsider.workspace, outsider.baseUrl);
        await definition.update?.(fresh, body, at, {
          olds: state.outs,
          news: at,
          changed: Object.keys(edit),
        });
      }

      /** Resolves names among the edited references to the ids that the service expects. */
      async function outsideIds(edit: Props): Promise<Props> {
        const fresh = new Context(outsider.api, outsider.workspace, outsider.baseUrl);
        const ids: Props = {};
        for (const [name, value] of Object.entries(edit)) {
          const all = await definition.references[name]?.lookup?.(fresh, state.outs);
          const found = all?.find((candidate) => candidate.name === value);
          if (found) ids[name] = found.id;
        }
        return ids;
      }

      function changedArgs(before: State, after: State): string[] {
        return Object.keys(definition.args.shape)
          .concat(Object.keys(outside ?? {}))
          .filter((name, i, all) => all.indexOf(name) === i)
          .filter((name) => !isSameJson(before.outs[name], after.outs[name]));
      }
    });
  });
}
