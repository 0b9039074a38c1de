/** Functions that read pipelines and what belongs to them, variables, and OAuth clients. */
import type { VariableScope } from "../../../client/index.js";
import { pickDefined } from "../../../diff/values.js";
import type { Fields } from "../../../resources/definition/definition.js";
import { text, triggerTime } from "../../../resources/definition/primitives.js";
import { type Api, createNumberOrId, getFunction, listFunction, projectName, sort } from "./define.js";

const pipeline = createNumberOrId("pipeline");
const inPipeline = { project: projectName, pipeline };

export const pipelineFunctions = {
  listPipelines: listFunction(
    "pipelines",
    "PipelineSummaryList",
    "Pipelines of a project, optionally sorted.",
    { project: projectName },
    sort("name", "id"),
  ),
  getPipeline: getFunction("pipelines", "Pipeline", "A pipeline, with its actions.", inPipeline),
  listActions: listFunction("actions", "ActionList", "Actions of a pipeline, in order.", inPipeline, {
    triggerTime: triggerTime.optional().describe("Only actions with this trigger time."),
  }),
  getAction: getFunction("actions", "Action", "An action.", {
    ...inPipeline,
    action: createNumberOrId("action"),
  }),
  listExecutions: listFunction(
    "executions",
    "ExecutionSummaryList",
    "Executions of a pipeline, in the service's order.",
    inPipeline,
  ),
  getExecution: getFunction("executions", "Execution", "An execution, with the progress of its actions.", {
    ...inPipeline,
    execution: createNumberOrId("execution"),
  }),
  listVariables: {
    ...listFunction(
      "variables",
      "VariableList",
      "Variables of the workspace, or of the action, pipeline or project that is specified. Administrators only.",
      {},
      {
        project: projectName.optional(),
        pipeline: pipeline.optional(),
        action: createNumberOrId("action").optional(),
      },
    ),
    read: (api: Api, workspace: string, _args: Fields, query: Fields) => {
      const { project, pipeline: pipelineId, action, ...pages } = query;
      const scope = pickDefined({ projectName: project, pipelineId, actionId: action }) as VariableScope;
      return api.variables.list(workspace, { ...scope, ...pages });
    },
  },
  getVariable: getFunction("variables", "Variable", "A variable. Administrators only.", {
    variable: createNumberOrId("variable"),
  }),

  getOAuthClient: getFunction(
    "oauth",
    "OAuthClient",
    "The registration of an OAuth client, without its secret.",
    {
      clientId: text.describe("Id of the client."),
      registrationAccessToken: text.describe("Token that manages the registration.").meta({ secret: true }),
    },
  ),
};
