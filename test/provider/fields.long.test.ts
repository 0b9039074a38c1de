/**
 * Tests every argument of every type against the emulator: a refresh returns the declared value, and an edit
 * from outside shows as a change of this argument only. One request restores it, with this argument and those
 * that the service requires in every update.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { isSameJson, isSameValue } from "../../diff/values.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { type Definition, definitions, getArgsSchema, validateArgs } from "../../provider/index.js";
import { listApiKeys, requestBody } from "../../resources/definition/api-names.js";
import { Context } from "../../resources/definition/context.js";
import { adapters, Engine, type State } from "./engine.js";
import { someValues } from "./field-values.js";
import { withPrerequisites } from "./prerequisites.js";

type Props = Record<string, unknown>;

interface Kind {
  readonly title: string;
  readonly definition: Definition;
  readonly base: Props;
}

const kinds: Kind[] = definitions
  .filter((definition) => definition.update !== undefined && definition.naturalKey.length > 0)
  .flatMap((definition) => {
    const variants = Object.entries(definition.variants?.of ?? { "": undefined });
    return variants.map(([kind, variant]) => ({
      title: `${definition.type} ${kind}`.trim(),
      definition,
      base: { ...definition.examples.create, ...variant?.examples.create },
    }));
  });

/** Returns the arguments that can be changed from outside, with possible values. */
function editable({ definition, base }: Kind): [name: string, values: readonly unknown[]][] {
  const { references, replaceOn, clientOnly, identity, variants } = definition;
  // References, arguments that force a replacement, client-only arguments and the name that identifies the
  // object.
  const fixed = [
    ...Object.keys(references),
    ...replaceOn,
    ...clientOnly,
    ...definition.writeOnly(base),
    "workspace",
    identity.apiName,
  ];
  const shape: Record<string, z.core.$ZodType> = getArgsSchema(definition, base).shape;
  // In place of what refers to other objects: the id of one.
  const placed = Object.entries(base).map(([name, value]) => [
    name,
    typeof value === "string" && value.startsWith("@") ? "acme/web/7" : value,
  ]);
  const entries = Object.entries(shape).filter(([name]) => !fixed.includes(name));
  return entries.flatMap(([name, schema]): [string, readonly unknown[]][] => {
    const valid = someValues(name, schema).filter((value) => {
      const args = { ...(Object.fromEntries(placed) as Props), [name]: value };
      const sameKind = variants?.select(args) === variants?.select(base);
      return sameKind && validateArgs(definition, args).length === 0;
    });
    const keys = new Set(valid.map((value) => listApiKeys(definition, name, value).join()));
    // The argument must always have the same key in the API; otherwise it is only in the path, or has nested
    // keys.
    return valid.length < 2 || keys.size !== 1 || keys.has("") ? [] : [[name, valid]];
  });
}

const runs = adapters.flatMap((adapter) =>
  kinds.filter((kind) => editable(kind).length > 0).map((kind) => ({ adapter, kind, title: kind.title })),
);

describe.each(runs)("$title by the $adapter provider", ({ adapter, kind }) => {
  const { definition, base } = kind;
  const fields = editable(kind);
  let emulator: Emulator;
  let engine: Engine;
  let api: WorkspaceAutomationClient;
  let args: Props;
  let state: State;

  beforeAll(async () => {
    emulator = await startEmulator({ strictBodies: true });
    const { baseUrl, token, workspace } = emulator;
    engine = new Engine(baseUrl, token, workspace, adapter);
    api = new WorkspaceAutomationClient({ baseUrl, token });
    const declared = Object.fromEntries(fields.map(([name, [first]]) => [name, first]));
    args = await withPrerequisites(engine, definition.type, { ...base, ...declared });
    state = await engine.create(definition.type, args);
  });
  afterAll(() => emulator.close());

  it.each(fields)("%s", async (name, values) => {
    const other = values.find((value) => !isSameValue(value, args[name]));
    await editFromOutside(name, other);
    const seen = await engine.refresh(state);
    expect(seen && differing(state, seen)).toEqual([name]);

    const update = vi.spyOn(definition, "update");
    const restored = await engine.up(seen ?? state, args);
    const [, body] = update.mock.lastCall ?? [];
    const carried = [...definition.forceSend(args).filter((arg) => args[arg] !== undefined), name];
    expect(Object.keys(body ?? {}).sort()).toEqual(
      Object.keys(requestBody(definition, args, carried, false)).sort(),
    );
    expect(update).toHaveBeenCalledTimes(1);
    update.mockRestore();

    const settled = await engine.refresh(restored);
    expect(settled?.outs).toEqual(restored.outs);
    expect((await engine.diff(settled ?? restored, args)).changes).toBe(false);
    state = restored;
  });

  const optional = fields.filter(([name]) => {
    const { [name]: _gone, ...rest } = {
      ...Object.fromEntries(fields.map(([n, [first]]) => [n, first])),
      ...base,
    };
    return validateArgs(definition, rest).length === 0;
  });

  it.runIf(optional.length > 0)("clears removed arguments in one request", async () => {
    const names = optional.map(([name]) => name);
    const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
    emulator.journal.clear();
    const cleared = await engine.up(state, rest);
    expect(emulator.journal.writes()).toHaveLength(1);
    expect(Object.keys(cleared.outs)).not.toEqual(expect.arrayContaining(names));
    const settled = await engine.refresh(cleared);
    expect(settled?.outs).toEqual(cleared.outs);
    expect((await engine.diff(settled ?? cleared, rest)).changes).toBe(false);

    state = await engine.up(cleared, args);
    expect((await engine.refresh(state))?.outs).toEqual(state.outs);
  });

  async function editFromOutside(name: string, value: unknown): Promise<void> {
    const at = { ...state.outs, [name]: value };
    const context = new Context(api, emulator.workspace, emulator.baseUrl);
    const body = requestBody(definition, at, [...definition.forceSend(at), name], false);
    await definition.update?.(context, body, at, { olds: state.outs, news: at, changed: [name] });
  }

  /** Returns the arguments that differ after a refresh. */
  function differing(before: State, after: State): string[] {
    const names = Object.keys(getArgsSchema(definition, before.outs).shape);
    return names.filter((name) => !isSameJson(before.outs[name], after.outs[name]));
  }
});

it("the tests cover all types with an update, and actions of all types", () => {
  const covered = kinds.filter((kind) => editable(kind).length > 0).map((kind) => kind.title);
  expect(covered).toEqual(
    expect.arrayContaining(["Project", "Group", "PermissionSet", "Pipeline", "Variable", "Action AGENT"]),
  );
  expect(covered.filter((title) => title.startsWith("Action "))).toHaveLength(14);
});
