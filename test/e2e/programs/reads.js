/** Reads objects that the stack does not manage, calls functions in both forms, and uses what it has read. */
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "pulumi-workspace-automation";

const config = new pulumi.Config();
const deploy = sdk.Pipeline.get("existing", `acme/shop/${config.require("pipeline")}`);
const ping = sdk.PingAction.get(
  "ping",
  `acme/shop/${config.require("pipeline")}/${config.require("action")}`,
);
new sdk.Variable("at", { project: "shop", pipeline: deploy, key: "AT", value: deploy.refName });
const web = new sdk.Project("web", { name: "web", displayName: "Web" });
// A preview plans the project only, so it does not read it although its name is known.
export const created = sdk.getProjectOutput(web.projectName).apply((project) => project.name);
const eu = new sdk.Provider("eu", {
  baseUrl: process.env["WORKSPACE_AUTOMATION_BASE_URL"],
  workspace: "acme-eu",
});
export const names = (await sdk.listProjects({ provider: eu })).map((project) => project.name);
export const destination = ping.destination;
