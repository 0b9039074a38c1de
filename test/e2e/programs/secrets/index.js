// Secrets on every way into a workspace: a file (literals, environment, files beside it), code and configuration.
import * as pulumi from "@pulumi/pulumi";
import { Action, loadWorkspace, Variable } from "pulumi-workspace-automation";

const { resources } = loadWorkspace("workspace.yaml");
const pipeline = resources.get("projects/web/pipelines/deploy");
const config = new pulumi.Config();

new Variable("code plain", { key: "CODE_1", value: "planted-01", encrypted: true });
new Variable("code env", { key: "CODE_2", value: process.env.PLANTED_CODE, encrypted: true, pipeline });
new Variable("code config", { key: "CODE_3", value: config.requireSecret("planted"), encrypted: true });
new Variable("code output", {
  key: "CODE_4",
  value: pulumi.output("planted-04"),
  sshKey: true,
  encrypted: pulumi.output(true),
});
new Action("code ssh", {
  pipeline,
  name: "From code",
  type: "SSH_COMMAND",
  triggerTime: "ON_EVERY_EXECUTION",
  authenticationMode: "PASS",
  commands: ["true"],
  host: "vm.example.com",
  login: "deploy",
  password: "planted-05",
  port: 22,
});
new Action("code agent", {
  pipeline,
  name: "Agent from code",
  type: "AGENT",
  triggerTime: "ON_EVERY_EXECUTION",
  containerImageName: "agent",
  containerImageTag: "1",
  executeCommands: ["agent"],
  password: "planted-06",
  mcpServers: { docs: { headers: { Authorization: "planted-07" } } },
  variables: [{ key: "TOKEN", value: "planted-08", encrypted: true }],
  services: [{ name: "db", password: "planted-09" }],
});
if (process.env.FAIL) {
  new Variable("fails", { key: "CODE_5", value: "planted-10", encrypted: true, project: "no-such-project" });
}
