// A program of a user: every resource type, references by resource. SUFFIX renames what has a name.
import {
  Action,
  ActionOrder,
  Branch,
  Execution,
  Group,
  GroupMember,
  OAuthClient,
  PermissionSet,
  Pipeline,
  Project,
  ProjectMember,
  RepositoryFile,
  SandboxRestart,
  User,
  UserEmail,
  UserKey,
  Variable,
  WorkspaceMember,
} from "pulumi-workspace-automation";

const suffix = process.env.SUFFIX ?? "";

const project = new Project("web", { name: `web${suffix}`, displayName: "Web shop" }, { protect: false });
const ann = new WorkspaceMember("ann", { email: "ann@example.com", admin: true });
const qa = new Group("qa", { name: `QA${suffix}`, description: "Testers" });
new GroupMember("ann in qa", { group: qa, member: ann });
const deployers = new PermissionSet("deployers", {
  name: `deployers${suffix}`,
  description: "May deploy",
  repositoryAccessLevel: "READ_ONLY",
  pipelineAccessLevel: "RUN_ONLY",
});
new ProjectMember("ann on web", { project, member: ann, permissionSet: deployers });
const pipeline = new Pipeline("deploy", {
  project,
  name: `deploy${suffix}`,
  triggerMode: "ON_EVERY_PUSH",
  refName: "main",
});
const build = new Action("build", {
  pipeline,
  name: `Build${suffix}`,
  type: "BUILD",
  triggerTime: "ON_EVERY_EXECUTION",
  containerImageName: "node",
  containerImageTag: "22",
  executeCommands: ["npm ci", "npm test"],
});
const restart = new Action(
  "restart",
  {
    pipeline,
    name: `Restart${suffix}`,
    type: "SSH_COMMAND",
    triggerTime: "ON_EVERY_EXECUTION",
    authenticationMode: "PASS",
    commands: ["systemctl restart web"],
    host: "vm.example.com",
    login: "deploy",
    password: "planted-secret-password",
    port: 22,
  },
  { dependsOn: [build] },
);
new ActionOrder("order", { pipeline, actions: [build, restart] });
new Variable("region", { key: `REGION${suffix}`, value: "us-east" });
new Variable("key", { key: "API_KEY", value: "planted-secret-value", encrypted: true, project });
new Variable("tier", { key: "TIER", value: "1", pipeline });
new RepositoryFile("readme", { project, path: "README.md", content: "# Web shop\n" });
new Branch("develop", { project, name: "develop" });
new Execution("first run", { pipeline, revision: "HEAD" });
new SandboxRestart("restart of the sandbox", { sandbox: "sandbox-1" });
new User("me", { title: "Release engineer" });
new UserKey("ci key", { content: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com", title: "CI" });
new UserEmail("second address", { email: "second@example.com" });
export const dashboard = new OAuthClient("dashboard", {
  clientName: "Dashboard",
  redirectUris: ["https://dashboard.example.com/callback"],
  grantTypes: ["authorization_code", "refresh_token"],
  responseTypes: ["code"],
  tokenEndpointAuthMethod: "client_secret_basic",
}).clientId;
new Variable("ci", { key: "CI", value: "true", action: build });

export const repository = project.httpRepository;
