/** Declares a project with a pipeline of three actions, a secret variable and a group. */
import * as pulumi from "@pulumi/pulumi";
import * as workspace from "workspace-automation-sdk";

const web = new workspace.Project("web", { name: "web", displayName: "Web shop" });
const deploy = new workspace.Pipeline("deploy", {
  project: web.projectName,
  projectId: web.id,
  name: "deploy",
  triggerMode: workspace.TriggerMode.OnEveryPush,
  refType: workspace.RefType.Branch,
  refName: "main",
});
const step = {
  project: deploy.project,
  pipeline: deploy.pipelineId,
  triggerTime: workspace.ActionTriggerTime.OnEveryExecution,
} as const;

// Actions that are created one after the other are in this order.
const test = new workspace.Action("test", {
  ...step,
  name: "Test",
  type: workspace.ActionType.Build,
  containerImageName: "node",
  containerImageTag: "22",
  executeCommands: ["npm ci", "npm test"],
});
const ping = new workspace.Action(
  "ping",
  { ...step, name: "Ping", type: workspace.ActionType.Ping, destination: "shop.example.com" },
  { dependsOn: test },
);
new workspace.Action(
  "notify",
  {
    ...step,
    name: "Notify",
    type: workspace.ActionType.Http,
    notificationUrl: "https://hooks.example.com",
    headers: [{ name: "X-Source", value: "pipeline" }],
  },
  { dependsOn: ping },
);

new workspace.Variable("variable", {
  project: web.projectName,
  projectId: web.id,
  key: "API_TOKEN",
  value: new pulumi.Config().requireSecret("token"),
  encrypted: true,
});
new workspace.Group("testers", { name: "QA", description: "Testers" });

export const pipeline = deploy.pipelineId;
