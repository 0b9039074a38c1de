/** Generates the components of the Pulumi package. */
import { getDefinition } from "../../../provider/index.js";
import { createExample, type ExamplePrograms, listProgramObjects, renderExampleSection } from "./examples.js";
import { createResourceSpec, type ResourceSpec } from "./resources.js";
import { ANY, buildToken, type NamedTypes, type PropertySpec } from "./types.js";

interface ComponentSpec extends ResourceSpec {
  readonly isComponent: true;
}

const TEXT = { type: "string" } as const;

const workspaceFileExample = createExample("WorkspaceFile", [
  {
    name: "people",
    type: "WorkspaceFile",
    args: { path: "people.yaml", values: { description: "Testers" } },
  },
]);

const workspaceFile: ComponentSpec = {
  isComponent: true,
  description:
    "The objects of a workspace file. Its resources have the names that `workspacectl` gives them, so a stack moves from one to the other without a change. " +
    "The file is data: it runs no code, and reads only `WORKSPACE_VAR_` variables of the environment, and files in its folder.\n\n" +
    renderExampleSection([workspaceFileExample]),
  type: "object",
  properties: {
    objects: {
      type: "object",
      additionalProperties: { type: "object", additionalProperties: ANY },
      description:
        "The id and the outputs of each object by its name, such as `projects/web/pipelines/deploy`. Secret outputs are omitted.",
    },
  },
  required: ["objects"],
  inputProperties: {
    path: {
      ...TEXT,
      description: "The workspace file, or a folder of files, relative to the folder of the program.",
    },
    overlays: {
      type: "array",
      items: TEXT,
      description:
        "Further overlays in the order in which they are applied. The overlay of the stack (`workspace.eu.yaml`) needs no mention.",
    },
    values: {
      type: "object",
      additionalProperties: TEXT,
      description:
        "Values for `${config:key}` in the file, by key. Others come from the configuration of the stack. A value may be secret, or an output of another resource.",
    },
  },
  requiredInputs: ["path"],
};

/** Arguments that the component sets. */
const OWN = ["project", "pipeline", "workspace"];

function createPipelineDefinition(types: NamedTypes): ComponentSpec {
  const pipeline = createResourceSpec(getDefinition("Pipeline"), types);
  const action = createResourceSpec(getDefinition("Action"), types);
  const properties = Object.entries(action.inputProperties)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, { willReplaceOnChanges: _, ...spec }]): [string, PropertySpec] => [name, spec]);
  const key: PropertySpec = {
    ...TEXT,
    description:
      "Name of the action in the state. With it, the action can be renamed in place. Default: `name`.",
  };
  const item = types.named("PipelineDefinitionAction", {
    type: "object",
    description: "An action of a pipeline.",
    properties: { key, ...Object.fromEntries(properties) },
    required: action.requiredInputs.filter((name) => !OWN.includes(name)),
  });
  return {
    isComponent: true,
    description:
      "A pipeline with the list of its actions, which are created and kept in this order.\n\n" +
      renderExampleSection([createPipelineExample()]),
    type: "object",
    properties: {
      pipeline: { ...TEXT, description: "Id of the pipeline, for references." },
      pipelineId: { type: "integer", description: "Number of the pipeline." },
      htmlUrl: { ...TEXT, description: "Address of the pipeline's page." },
      actionIds: { type: "object", additionalProperties: TEXT, description: "Ids of the actions by `key`." },
    },
    required: ["actionIds", "htmlUrl", "pipeline", "pipelineId"],
    inputProperties: {
      ...pipeline.inputProperties,
      actions: { type: "array", items: item, description: "The actions in their order." },
    },
    requiredInputs: [...pipeline.requiredInputs, "actions"].sort(),
  };
}

/** A pipeline with an action of the first two types, as the examples of these types have them. */
function createPipelineExample(): ExamplePrograms {
  const [pipeline, action] = [getDefinition("Pipeline"), getDefinition("Action")];
  const shared = Object.entries(action.examples.create).filter(([arg]) => !OWN.includes(arg));
  const actions = Object.entries(action.variants?.of ?? {})
    .slice(0, 2)
    .map(([name, { examples }]) => ({ ...Object.fromEntries(shared), name, ...examples.create }));
  const program = listProgramObjects(pipeline, pipeline.examples.create).map((one) =>
    one.type === "Pipeline" ? { ...one, type: "PipelineDefinition", args: { ...one.args, actions } } : one,
  );
  return createExample("PipelineDefinition", program);
}

export function createComponentSpecs(types: NamedTypes): Record<string, ComponentSpec> {
  return {
    [buildToken("PipelineDefinition")]: createPipelineDefinition(types),
    [buildToken("WorkspaceFile")]: workspaceFile,
  };
}
