/** Tests what a plan is said to start that did not run before. */
import { expect, it } from "vitest";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import { listNewRuns, listStoppedRuns } from "../../../automation/policy/new-runs.js";
import { UNKNOWN } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";

const object = (type: string, name: string, before?: Fields, after?: Fields): PlannedObject => ({
  operation: before === undefined ? "create" : after === undefined ? "delete" : "update",
  type,
  name,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
const push = { triggerMode: "ON_EVERY_PUSH", refType: "BRANCH", refName: "main" };
const nightly = { triggerMode: "SCHEDULED", cron: "0 2 * * *" };
const manual = { triggerMode: "MANUAL", refName: "main" };
const always = { triggerTime: "ON_EVERY_EXECUTION" };

it.each([
  [manual, push, "on every push to branch main", "only when it is started"],
  [push, { ...push, refName: "dev" }, "on every push to branch dev", "on every push to branch main"],
  [{ ...nightly, paused: true }, nightly, "daily at 02:00 (0 2 * * *)", "only when it is started"],
  [
    nightly,
    { triggerMode: "SCHEDULED", startDate: "2030-01-01T00:00:00Z", delay: 60, runAlways: true },
    "on the schedule from 2030-01-01T00:00:00Z with delay 60, if the branch has changed",
    "daily at 02:00 (0 2 * * *)",
  ],
  [
    { ...nightly, cron: "5 2 * * 1", refName: "main" },
    { ...nightly, cron: "5 2 * * 1", refName: "evil" },
    "on the schedule 5 2 * * 1 with evil",
    "on the schedule 5 2 * * 1 with main",
  ],
  [
    { triggerMode: "SCHEDULED", refName: "main" },
    nightly,
    "daily at 02:00 (0 2 * * *)",
    "on a schedule that the service does not return with main",
  ],
  [manual, { ...push, refName: UNKNOWN }, "on every push to branch (known later)", "only when it is started"],
])("a pipeline from %j to %j", (was, is, runs, before) => {
  expect(listNewRuns([object("Pipeline", "p", was, is)])).toEqual([
    { type: "Pipeline", name: "p", runs, before },
  ]);
});

it("a new pipeline is named without its actions, and one that waits to be started is not", () => {
  expect(
    listNewRuns([
      object("Pipeline", "projects/web/pipelines/p", undefined, push),
      object("Action", "projects/web/pipelines/p/actions/A", undefined, always),
      object("Pipeline", "projects/web/pipelines/q", undefined, manual),
      object("Action", "projects/web/pipelines/q/actions/A", undefined, always),
    ]),
  ).toEqual([{ type: "Pipeline", name: "projects/web/pipelines/p", runs: "on every push to branch main" }]);
});

it("what is new in a project that is new too, or in a pipeline that exists, is named", () => {
  const names = (...objects: PlannedObject[]) => listNewRuns(objects).map(({ name }) => name);
  expect(
    names(
      object("Project", "projects/web", undefined, { name: "web" }),
      object("Pipeline", "projects/web/pipelines/p", undefined, push),
    ),
  ).toEqual(["projects/web/pipelines/p"]);
  expect(
    names(
      object("Pipeline", "projects/web/pipelines/p", push, push),
      object("Action", "projects/web/pipelines/p/actions/A", undefined, always),
    ),
  ).toEqual(["projects/web/pipelines/p/actions/A"]);
});

it("an action that is new, enabled, or runs at another time is named", () => {
  expect(
    listNewRuns([
      object("Action", "a", undefined, always),
      object("Action", "b", { ...always, disabled: true }, { ...always, disabled: false }),
      object("Action", "c", { triggerTime: "ON_FAILURE" }, always),
    ]),
  ).toEqual([
    { type: "Action", name: "a", runs: "in every run" },
    { type: "Action", name: "b", runs: "in every run", before: "never" },
    { type: "Action", name: "c", runs: "in every run", before: "when a run fails" },
  ]);
});

it("what stays, stops or is deleted is not named", () => {
  expect(
    listNewRuns([
      object("Pipeline", "p", push, push),
      object("Pipeline", "q", push, manual),
      object("Pipeline", "r", push),
      object("Action", "a", always, { ...always, disabled: true }),
      object("Group", "g", undefined, {}),
    ]),
  ).toEqual([]);
});

it("what stops running by itself is named, without what is in it", () => {
  const paused = { ...nightly, paused: true };
  const stopped = listStoppedRuns([
    object("Pipeline", "projects/web/pipelines/q", nightly, paused),
    object("Pipeline", "projects/web/pipelines/p", push),
    object("Action", "projects/web/pipelines/p/actions/A", always),
    object("Pipeline", "projects/web/pipelines/m", manual),
    object("Pipeline", "projects/web/pipelines/s", push, nightly),
    { ...object("Pipeline", "projects/web/pipelines/r", push), operation: "release" },
    object("Pipeline", "projects/web/pipelines/n", undefined, nightly),
    object("Group", "groups/QA", {}),
  ]);
  expect(stopped).toEqual([
    { type: "Pipeline", name: "projects/web/pipelines/p", before: "on every push to branch main" },
    { type: "Pipeline", name: "projects/web/pipelines/q", before: "daily at 02:00 (0 2 * * *)" },
  ]);
});
