/** Declares the delivery of a small company: a project, a pipeline and permissions. */
import * as pulumi from "@pulumi/pulumi";
import {
  Action,
  ActionOrder,
  Group,
  GroupMember,
  PermissionSet,
  Pipeline,
  Project,
  ProjectMember,
  Variable,
  WorkspaceMember,
} from "pulumi-workspace-automation";

const config = new pulumi.Config();

const ann = new WorkspaceMember("ann", { email: "ann@example.com", admin: true });
const bob = new WorkspaceMember("bob", { email: "bob@example.com" });

const testers = new Group("testers", { name: "QA", description: "Testers" });
new GroupMember("bob is a tester", { group: testers, member: bob });

const deployers = new PermissionSet("deployers", {
  name: "release-engineers",
  description: "May deploy",
  repositoryAccessLevel: "READ_ONLY",
  pipelineAccessLevel: "RUN_ONLY",
});

// A project is protected from deletion by default.
const web = new Project("web", { name: "web", displayName: "Web shop" });
for (const [name, member] of Object.entries({ ann, bob })) {
  new ProjectMember(`${name} deploys web`, { project: web, member, permissionSet: deployers });
}

const deploy = new Pipeline("deploy", {
  project: web,
  name: "deploy",
  triggerMode: "ON_EVERY_PUSH",
  refType: "BRANCH",
  refName: "main",
});

// Actions that are created one after the other are in order from the start; ActionOrder keeps the order.
const build = new Action("build", {
  pipeline: deploy,
  name: "Build",
  type: "BUILD",
  triggerTime: "ON_EVERY_EXECUTION",
  containerImageName: "node",
  containerImageTag: "22",
  executeCommands: ["npm ci", "npm test"],
});
const push = new Action(
  "push",
  {
    pipeline: deploy,
    name: "Push to production",
    type: "PUSH",
    triggerTime: "ON_EVERY_EXECUTION",
    gitAuthMode: "ENV_KEY",
    pushUrl: "git@git.example.com:web.git",
    envKey: "DEPLOY_KEY",
  },
  { dependsOn: [build] },
);
const tell = new Action(
  "tell",
  {
    pipeline: deploy,
    name: "Tell",
    type: "CHAT",
    triggerTime: "ON_FAILURE",
    runOnlyOnFirstFailure: true,
    channel: "C01",
    integration: "chat-main",
    content: "The shop's build is red",
  },
  { dependsOn: [push] },
);
new ActionOrder("order of deploy", { pipeline: deploy, actions: [build, push, tell] });

// The value remains secret in the state, in previews and in logs. A stack in which it is not set has no such variable.
const apiKey = config.getSecret("apiKey");
if (apiKey !== undefined) {
  new Variable("api key", { key: "API_KEY", value: apiKey, encrypted: true, project: web });
}
new Variable("region", { key: "REGION", value: "us-east" });

export const repository = web.httpRepository;
