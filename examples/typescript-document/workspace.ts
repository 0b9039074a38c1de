/**
 * Declares many similar services: a workspace file as a module can use a loop and a function instead of
 * copies.
 */
import { defineWorkspace, type ActionEntry, type ProjectEntry } from "pulumi-workspace-automation";

const services = [
  { name: "catalogue", node: "22" },
  { name: "checkout", node: "22" },
  { name: "search", node: "20", nightly: true },
];

const team = ["ann@example.com", "bob@example.com"];

/** Ends every pipeline with the same notification. */
const tell: ActionEntry = {
  name: "Tell",
  type: "CHAT",
  triggerTime: "ON_FAILURE",
  runOnlyOnFirstFailure: true,
  channel: "C0DEPLOYS",
  integration: "chat-main",
  content: "A pipeline failed",
};

function project({ name, node, nightly = false }: (typeof services)[number]): ProjectEntry {
  const test: ActionEntry = {
    name: "Test",
    type: "BUILD",
    triggerTime: "ON_EVERY_EXECUTION",
    containerImageName: "node",
    containerImageTag: node,
    executeCommands: ["npm ci", "npm test"],
  };
  const main = { refType: "BRANCH", refName: "main" } as const;
  return {
    displayName: `The ${name} service`,
    members: Object.fromEntries(team.map((email) => [email, "developers"])),
    variables: { SERVICE: name },
    pipelines: {
      test: { triggerMode: "ON_EVERY_PUSH", ...main, actions: [test, tell] },
      ...(nightly
        ? { nightly: { triggerMode: "SCHEDULED", cron: "0 2 * * *", ...main, actions: [test, tell] } }
        : {}),
    },
  };
}

export default defineWorkspace({
  version: 1,
  members: Object.fromEntries(team.map((email) => [email, {}])),
  permissionSets: {
    developers: {
      description: "May change code and pipelines",
      repositoryAccessLevel: "READ_WRITE",
      pipelineAccessLevel: "READ_WRITE",
    },
  },
  projects: Object.fromEntries(services.map((service) => [service.name, project(service)])),
});
