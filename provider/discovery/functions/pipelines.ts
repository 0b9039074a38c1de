/** Functions that read pipelines and what belongs to them, variables, and OAuth clients. */
import { text, triggerTime } from "../../definition/primitives.js";
import {
  getFunction,
  listFunction,
  number,
  projectName,
  sorted,
  wired,
  type FunctionDefinition,
} from "./define.js";

const pipeline = number("pipeline");
/** Each with the name that the published description of the API has for its answer. */
export const pipelineFunctions: readonly FunctionDefinition[] = [
  listFunction(
    "listPipelines",
    "PipelineSummaryList",
    "Pipelines of a project, sorted if asked for.",
    { project: projectName, ...sorted("name", "id") },
    (api, w, { project: of, ...filters }, query) =>
      api.pipelines.list(w, of, { ...wired(filters), ...query }),
  ),
  getFunction(
    "getPipeline",
    "Pipeline",
    "A pipeline, with its actions.",
    { project: projectName, pipeline },
    (api, w, a) => api.pipelines.get(w, a.project, a.pipeline),
  ),
  listFunction(
    "listActions",
    "ActionList",
    "Actions of a pipeline, in order.",
    {
      project: projectName,
      pipeline,
      triggerTime: triggerTime.optional().describe("Only actions of this trigger time."),
    },
    (api, w, { project: of, pipeline: no, ...filters }, query) =>
      api.actions.list(w, of, no, { ...wired(filters), ...query }),
  ),
  getFunction(
    "getAction",
    "Action",
    "An action.",
    { project: projectName, pipeline, action: number("action") },
    (api, w, a) => api.actions.get(w, a.project, a.pipeline, a.action),
  ),
  listFunction(
    "listExecutions",
    "ExecutionSummaryList",
    "Executions of a pipeline, in the service's order.",
    { project: projectName, pipeline },
    (api, w, a, query) => api.executions.list(w, a.project, a.pipeline, query),
  ),
  getFunction(
    "getExecution",
    "Execution",
    "An execution, with the progress of its actions.",
    { project: projectName, pipeline, execution: number("execution") },
    (api, w, a) => api.executions.get(w, a.project, a.pipeline, a.execution),
  ),
  listFunction(
    "listVariables",
    "VariableList",
    "Variables of the workspace, or of the narrowest owner given. Administrators only.",
    {
      project: projectName.optional(),
      pipeline: pipeline.optional(),
      action: number("action").optional(),
    },
    (api, w, { project: projectName, pipeline: pipelineId, action: actionId }, query) => {
      const owner = { projectName, pipelineId, actionId };
      const given = Object.entries(owner).filter(([, value]) => value !== undefined);
      return api.variables.list(w, { ...Object.fromEntries(given), ...query });
    },
  ),
  getFunction(
    "getVariable",
    "Variable",
    "A variable. Administrators only.",
    { variable: number("variable") },
    (api, w, a) => api.variables.get(w, a.variable),
  ),

  getFunction(
    "getOAuthClient",
    "OAuthClient",
    "The registration of an OAuth client, without its secret: to whoever has the token that manages it.",
    {
      clientId: text.describe("Id of the client."),
      registrationAccessToken: text.describe("Token that manages the registration.").meta({ secret: true }),
    },
    (api, _w, a) => api.oauth.get(a.clientId, a.registrationAccessToken),
  ),
];
