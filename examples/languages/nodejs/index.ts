/** Declares a project with a pipeline of three actions, a secret variable, and a group of a workspace file. */
import * as pulumi from "@pulumi/pulumi";
import * as workspace from "workspace-automation-sdk";

const web = new workspace.Project("web", { name: "web", displayName: "Web shop" });
const triggerTime = workspace.ActionTriggerTime.OnEveryExecution;
const deploy = new workspace.PipelineDefinition("deploy", {
  project: web.projectName,
  projectId: web.id,
  name: "deploy",
  triggerMode: workspace.TriggerMode.OnEveryPush,
  refType: workspace.RefType.Branch,
  refName: "main",
  // The actions are in the order of the list.
  actions: [
    {
      name: "Test",
      type: workspace.ActionType.Build,
      triggerTime,
      containerImageName: "node",
      containerImageTag: "22",
      executeCommands: ["npm ci", "npm test"],
    },
    { name: "Ping", type: workspace.ActionType.Ping, triggerTime, destination: "shop.example.com" },
    {
      name: "Notify",
      type: workspace.ActionType.Http,
      triggerTime,
      notificationUrl: "https://hooks.example.com",
      headers: [{ name: "X-Source", value: "pipeline" }],
    },
  ],
});

new workspace.Variable("variable", {
  project: web.projectName,
  projectId: web.id,
  key: "API_TOKEN",
  value: new pulumi.Config().requireSecret("token"),
  encrypted: true,
});
// A part of the workspace that people edit in a workspace file.
const people = new workspace.WorkspaceFile("people", {
  path: "people.yaml",
  values: { description: "Testers" },
});

export const pipeline = deploy.pipelineId;
export const testers = people.objects.apply((objects) => objects["groups/QA"]?.["groupId"]);
