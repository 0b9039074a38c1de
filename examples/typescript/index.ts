/** A small company's delivery: one project, one pipeline, and who may do what. */
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

// A project is protected from deletion unless said otherwise.
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

// Actions that are made one after the other are in order from the start; ActionOrder keeps them so.
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

// The value stays secret: in the state, in previews, in logs.
new Variable("api key", {
  key: "API_KEY",
  value: config.requireSecret("apiKey"),
  encrypted: true,
  project: web,
});
new Variable("region", { key: "REGION", value: "us-east" });

export const repository = web.httpRepository;
