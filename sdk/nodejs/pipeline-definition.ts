/** `PipelineDefinition`: a pipeline with the list of its actions. The plugin has the same component for other languages. */
import * as pulumi from "@pulumi/pulumi";
import { Action, type ActionArgs, ActionOrder, Pipeline, type PipelineArgs } from "./resources.js";

/** Omits properties from each type of a union. */
type OmitEach<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** An action of a pipeline's list. */
export type PipelineDefinitionAction = OmitEach<
  ActionArgs,
  "pipeline" | "project" | "workspace" | "name" | "key"
> & {
  /** Name of the action. */
  readonly name: string;
  /** Name of the action in the state. With it, the action can be renamed in place, or share its name with others. Default: `name`. */
  readonly key?: string;
};

export type PipelineDefinitionArgs = PipelineArgs & {
  /** The actions in their order. */
  readonly actions: readonly PipelineDefinitionAction[];
};

/** A pipeline with the list of its actions, which are created and kept in this order. */
export class PipelineDefinition extends pulumi.ComponentResource {
  readonly pipeline: Pipeline;
  /** The actions by `key`. */
  readonly actions: ReadonlyMap<string, Action>;

  constructor(name: string, args: PipelineDefinitionArgs, opts?: pulumi.ComponentResourceOptions) {
    super("workspace-automation:index:PipelineDefinition", name, {}, opts);
    const { actions, ...own } = args;
    const pipeline = new Pipeline(name, own, { parent: this });
    const declared = new Map<string, Action>();
    let before: Action | undefined;
    for (const { key: given, ...action } of actions) {
      const key = given ?? action.name;
      if (declared.has(key))
        throw new pulumi.RunError(
          `PipelineDefinition "${name}": two actions are named "${key}": set "key" of one of them, which names it in the state`,
        );
      const options = { parent: this, ...(before ? { dependsOn: before } : {}) };
      const shared = actions.filter((other) => other.name === action.name).length > 1 ? { key } : {};
      before = new Action(`${name}/${key}`, { ...action, ...shared, pipeline }, options);
      declared.set(key, before);
    }
    if (declared.size > 1)
      new ActionOrder(`${name}/actionOrder`, { pipeline, actions: [...declared.values()] }, { parent: this });
    this.pipeline = pipeline;
    this.actions = declared;
    this.registerOutputs({});
  }
}
