/** What we assume of actions and their order in a pipeline. */
import { defineGroup } from "./assumption.js";

const PIPELINE = "GET .../pipelines/:id";
const LIST = "GET .../pipelines/:id/actions";

export const actionAssumptions = defineGroup("Actions", [
  {
    id: "single-action-paths",
    title: "A single action",
    assumed: "A single action is read, changed and deleted at `.../actions/:action_id`.",
    why: "The specification says that these requests are not shown. Every other object has such a path.",
    affects: "Every change and deletion of an action.",
    check: {
      requests: [`${LIST}/:action_id`],
      writes: false,
    },
    behavior: "singleActionPaths",
    otherwise:
      "Actions are read from the pipeline and from the list. A change is refused in the preview, and a deletion before it is sent.",
  },
  {
    id: "embedded-actions",
    title: "Actions in a pipeline",
    assumed: "A pipeline contains all fields of its actions.",
    why: "The specification calls them actions, not summaries.",
    affects: "The number of requests of a refresh: one for each pipeline.",
    check: { requests: [PIPELINE], writes: false },
    behavior: "embeddedActions",
    otherwise: "The missing fields are read from the list, and then from the action itself.",
  },
  {
    id: "listed-actions",
    title: "Actions in their list",
    assumed: "The list of actions contains all their fields.",
    why: "The specification shows no smaller form.",
    affects: "The number of requests of a refresh where a pipeline shows summaries.",
    check: { requests: [LIST], writes: false },
    behavior: "listedActions",
    otherwise:
      "The missing fields are read from the action itself. What nothing shows is reported as not verifiable.",
  },
  {
    id: "action-status",
    title: "The status of an action",
    assumed: "`status` and `last_execution_status` are the same, and a pipeline shows the latter.",
    why: "The specification shows both names.",
    affects: "Nothing that is managed.",
    check: { requests: [PIPELINE], writes: false },
    behavior: "embeddedActionStatusField",
    otherwise: "Both names are read.",
  },
  {
    id: "movable-actions",
    title: "Moving an action",
    assumed: "`after_action_id` in a PATCH moves an action.",
    why: "The specification lists it among the optional fields of a creation only.",
    affects: "`ActionOrder`, which owns the order of a pipeline.",
    check: {
      requests: ["PATCH .../actions/:action_id after_action_id", LIST],
      writes: true,
      undo: "the scratch project",
    },
    behavior: "movableActions",
    otherwise: "A plan that would move an action is refused.",
  },
  {
    id: "new-action-last",
    title: "A new action",
    assumed: "A new action is the last one, unless `after_action_id` says otherwise.",
    why: "The specification calls the actions an ordered list.",
    affects: "The number of moves after a creation.",
    check: { requests: ["POST .../actions", LIST], writes: true, undo: "the scratch project" },
    otherwise: "`ActionOrder` moves the actions after their creation.",
  },
  {
    id: "push-mode",
    title: "The mode of a push",
    assumed: "No request removes the authentication mode of a push.",
    why: "The specification shows the modes of a creation only.",
    affects: "A push whose mode was changed outside of Pulumi.",
    check: { impossible: "a push needs a repository and a key, and would be ready to run" },
    otherwise: "Such a push is replaced, which always works.",
  },
]);
