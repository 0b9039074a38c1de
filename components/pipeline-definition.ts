/** The component `PipelineDefinition`: a pipeline with the list of its actions, which are created and kept in this order. */
import {
  asSecret,
  hasUnknown,
  isPlain,
  isSecret,
  pickDefined,
  UNKNOWN,
  withoutMarks,
} from "../diff/values.js";
import { type Fields, getDefinition } from "../provider/index.js";
import { createPlainDeclaration, Ref } from "../workspace-file/load/load.js";
import type { Component, DeclaredComponent } from "./component.js";
import { showObject } from "./component-outputs.js";
import { readInputs } from "./inputs.js";

/** Names of arguments that are parts of names in the state, so a mark of the whole list does not hide them. */
const SHOWN = ["key", "name", "type"];

export const pipelineDefinition: Component = {
  isFlat: false,

  declare(component) {
    const [pipeline, action, order] = [
      getDefinition("Pipeline"),
      getDefinition("Action"),
      getDefinition("ActionOrder"),
    ];
    const known = [...Object.keys(pipeline.args.shape), "actions"];
    const { actions: given, ...args } = readInputs("PipelineDefinition", component, known);
    const { name } = component;
    const actions = given === UNKNOWN ? [] : listActions(component, given);
    const names = actions.map(({ key }) => `${name}/${key}`);
    const inPipeline = { pipeline: new Ref(name), ...pickDefined({ workspace: args["workspace"] }) };
    const ordered = { ...inPipeline, actions: names.map((one) => new Ref(one)) };
    return Promise.resolve([
      createPlainDeclaration(pipeline, name, args),
      ...actions.map((one, index) => ({
        ...createPlainDeclaration(action, `${name}/${one.key}`, { ...one.args, ...inPipeline }),
        after: names[index - 1],
      })),
      ...(actions.length > 1 ? [createPlainDeclaration(order, `${name}/actionOrder`, ordered)] : []),
    ]);
  },

  outputs(all = []) {
    const [pipeline, ...others] = all.map((one) => ({ ...one, shown: showObject(one) }));
    const { id, pipelineId, htmlUrl } = pipeline?.shown ?? {};
    const actions = others.filter(({ declaration }) => declaration.definition.type === "Action");
    const ids = actions.map(({ declaration, shown }): [string, unknown] => [
      declaration.name.slice((pipeline?.declaration.name.length ?? 0) + 1),
      shown["id"],
    ]);
    return pickDefined({ pipeline: id, pipelineId, htmlUrl, actionIds: Object.fromEntries(ids) });
  },
};

/** @throws {Error} when an action has no key of its own */
function listActions({ name }: DeclaredComponent, given: unknown): { key: string; args: Fields }[] {
  const list = isSecret(given) ? given.value : (given ?? []);
  const problem = (text: string) => new Error(`PipelineDefinition "${name}": ${text}`);
  if (!Array.isArray(list)) throw problem("actions is a list of actions");
  const keys = new Set<string>();
  const actions = list.map((item: unknown, index) => {
    const isHidden = isSecret(given) || isSecret(item);
    const action = isSecret(item) ? item.value : item;
    if (!isPlain(action)) throw problem(`actions[${index}] is no action`);
    const { key: own = action["name"], ...args } = action;
    const key = withoutMarks(own);
    if (typeof key !== "string" || key === "") throw problem(`actions[${index}].name: is required`);
    // Only a preview does not know it.
    const named = hasUnknown(key) ? String(index + 1) : key;
    if (keys.has(named))
      throw problem(
        `two actions are named "${named}": set "key" of one of them, which names it in the state`,
      );
    keys.add(named);
    const marked = Object.entries(args).map(([arg, value]) => [
      arg,
      isHidden && !SHOWN.includes(arg) ? asSecret(value) : value,
    ]);
    return { key: named, args: Object.fromEntries(marked) as Fields };
  });
  return withSharedKeys(actions);
}

/** Passes the keys of actions that share a name. */
function withSharedKeys(actions: readonly { key: string; args: Fields }[]): { key: string; args: Fields }[] {
  const names = actions.map(({ args }) => withoutMarks(args["name"]));
  return actions.map(({ key, args }, index) => {
    const isShared = names.some(
      (name, other) => other !== index && name === names[index] && !hasUnknown(name),
    );
    return { key, args: isShared ? { ...args, key } : args };
  });
}
