/** Functions that read pipelines and what belongs to them, variables, and OAuth clients. */
import { pickDefined } from "../../../diff/values.js";
import { text, triggerTime } from "../../definition/primitives.js";
import { getFunction, listFunction, createNumber, projectName, sort, createApiQuery } from "./define.js";

const pipeline = createNumber("pipeline");
export const pipelineFunctions = {
  listPipelines: listFunction(
    "PipelineSummaryList",
    "Pipelines of a project, optionally sorted.",
    { project: projectName, ...sort("name", "id") },
    (api, w, { project: of, ...filters }, query) =>
      api.pipelines.list(w, of, { ...createApiQuery(filters), ...query }),
  ),
  getPipeline: getFunction(
    "Pipeline",
    "A pipeline, with its actions.",
    { project: projectName, pipeline },
    (api, w, a) => api.pipelines.get(w, a.project, a.pipeline),
  ),
  listActions: listFunction(
    "ActionList",
    "Actions of a pipeline, in order.",
    {
      project: projectName,
      pipeline,
      triggerTime: triggerTime.optional().describe("Only actions with this trigger time."),
    },
    (api, w, { project: of, pipeline: no, ...filters }, query) =>
      api.actions.list(w, of, no, { ...createApiQuery(filters), ...query }),
  ),
  getAction: getFunction(
    "Action",
    "An action.",
    { project: projectName, pipeline, action: createNumber("action") },
    (api, w, a) => api.actions.get(w, a.project, a.pipeline, a.action),
  ),
  listExecutions: listFunction(
    "ExecutionSummaryList",
    "Executions of a pipeline, in the service's order.",
    { project: projectName, pipeline },
    (api, w, a, query) => api.executions.list(w, a.project, a.pipeline, query),
  ),
  getExecution: getFunction(
    "Execution",
    "An execution, with the progress of its actions.",
    { project: projectName, pipeline, execution: createNumber("execution") },
    (api, w, a) => api.executions.get(w, a.project, a.pipeline, a.execution),
  ),
  listVariables: listFunction(
    "VariableList",
    "Variables of the workspace, or of the action, pipeline or project that is specified. Administrators only.",
    {
      project: projectName.optional(),
      pipeline: pipeline.optional(),
      action: createNumber("action").optional(),
    },
    (api, w, { project: projectName, pipeline: pipelineId, action: actionId }, query) =>
      api.variables.list(w, { ...pickDefined({ projectName, pipelineId, actionId }), ...query }),
  ),
  getVariable: getFunction(
    "Variable",
    "A variable. Administrators only.",
    { variable: createNumber("variable") },
    (api, w, a) => api.variables.get(w, a.variable),
  ),

  getOAuthClient: getFunction(
    "OAuthClient",
    "The registration of an OAuth client, without its secret.",
    {
      clientId: text.describe("Id of the client."),
      registrationAccessToken: text.describe("Token that manages the registration.").meta({ secret: true }),
    },
    (api, _w, a) => api.oauth.get(a.clientId, a.registrationAccessToken),
  ),
};
