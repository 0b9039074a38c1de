/** Declares the same delivery in two regions, each with an account of its own. */
import * as pulumi from "@pulumi/pulumi";
import { Pipeline, Project, Provider, Variable } from "pulumi-workspace-automation";

const config = new pulumi.Config();

for (const region of ["us", "eu"]) {
  const provider = new Provider(region, {
    baseUrl: config.require(`${region}BaseUrl`),
    token: config.requireSecret(`${region}Token`),
    workspace: config.require(`${region}Workspace`),
  });
  const options = { provider };

  const web = new Project(`web-${region}`, { name: "web", displayName: "Web shop" }, options);
  const deploy = new Pipeline(
    `deploy-${region}`,
    { project: web, name: "deploy", triggerMode: "ON_EVERY_PUSH", refType: "BRANCH", refName: "main" },
    options,
  );
  new Variable(`region-${region}`, { pipeline: deploy, project: web, key: "REGION", value: region }, options);
}
