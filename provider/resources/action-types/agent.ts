/** The AGENT action (spec, Endpoints: Actions, last row of the table). */
import { z } from "zod";
import {
  agentTriggerTime,
  choice,
  emptyOrText,
  flag,
  lines,
  opaqueList,
  opaqueObject,
  optional,
  text,
} from "../../definition/primitives.js";
import { nonSecretArg } from "../../definition/define-resource.js";
import { cachedDirs, containerImage, executeCommands, services, setupCommands, shells } from "./fields.js";

const words = (description: string, example: string) => optional(emptyOrText, description, example);
const number = (description: string, example: number) => optional(z.int().min(0), description, example);
const list = (description: string, ...example: string[]) => optional(lines, description, example);

/** Of these the specification shows no type: any JSON value is passed on as it is. */
const any = (description: string, example: unknown) => optional(z.unknown(), description, example);

const prompt = z.strictObject({
  type: choice({
    INLINE: "`value` is what the agent is told.",
    FILE: "`value` is a file of the repository that says it.",
  }).describe("Where the text is."),
  value: text
    .describe("The text, or the path of the file.")
    .meta({ examples: ["Find out which test failed and why. Change nothing."] }),
});

export const agent = {
  chosen: { type: "AGENT" },
  description: "Lets an AI agent work in a container.",
  args: {
    type: z.literal("AGENT").describe("What the action does."),
    triggerTime: agentTriggerTime.describe("When in a run the action is carried out."),
    ...containerImage,
    executeCommands,
    integrationIdentifier: optional(
      text,
      "Identifier (not the name) of the integration the agent uses.",
      "agent-main",
    ),
    prompts: optional(z.array(prompt), "What the agent is told: texts, or files of the repository."),
    model: words("Model the agent uses.", "large"),
    skills: list("Skills of the agent, by name.", "code-review"),
    mcpServers: optional(opaqueObject, "MCP servers by name, in the service's own words."),
    triggerConditions: optional(
      opaqueList,
      "Conditions under which the action is carried out, in the service's own words.",
      [{ trigger_condition: "ON_CHANGE" }],
    ),
    runNext: optional(
      choice({
        WAIT_ON_SUCCESS: "The next action begins when this one has succeeded.",
        IN_SOFT_PARALLEL: "The next action begins at once, beside this one (soft parallel).",
        IN_HARD_PARALLEL: "The next action begins at once, beside this one (hard parallel).",
      }),
      "How the next action follows.",
    ),
    variables: optional(opaqueList, "Variables of the action itself, in the service's own words.", [
      { key: "CI", value: "true" },
    ]),
    disabled: flag("Leave the action out of runs.", false),
    timeout: number("Seconds after which the action is stopped.", 600),
    ignoreErrors: flag("Go on when the action fails."),
    retryCount: number("How often a failed action is tried again.", 2),
    retryInterval: number("Seconds between two tries.", 30),
    loop: list("Values the action is repeated for.", "eu", "us"),
    currentRevision: any("Revision the action works on.", "HEAD"),
    workingDirectory: words("Directory the commands run in.", "/app"),
    mainServiceName: any("Name of the main service.", "app"),
    runAsUser: any("User the commands run as.", "node"),
    version: any("Version of the action.", "1"),
    artifact: any("Artifact the action works on.", "web"),
    mountFilesystemDisable: any("Do not mount the pipeline's file system.", true),
    volumeMappings: list("Volume mappings, in the service's own words.", "/:/app"),
    cachedDirs,
    setupCommands,
    services,
    nonSecret: nonSecretArg("services", "mcpServers"),
    shell: optional(choice({ ...shells, POWERSHELL: "PowerShell." }), "Shell that runs the commands."),
    registry: any("Address of the registry of the image.", "registry.example.com"),
    insecureRegistry: any("Reach the registry without TLS.", true),
    login: words("User of the registry.", "ci"),
    password: words("Password of the registry's user.", "${env:REGISTRY_PASSWORD}"),
    username: any("User name, where the kind of registry wants one beside `login`.", "ci"),
    region: any("Region of the registry.", "eu-west-1"),
    targetStage: any("Stage of the image's build.", "test"),
    imageLocation: optional(
      choice({
        PUBLIC_REGISTRY: "A registry that anybody may read.",
        PRIVATE_REGISTRY: "A registry that wants `login` and `password`.",
        ACTION: "Another action of the pipeline built it.",
        ARTIFACT_REGISTRY: "The service's own registry of artifacts.",
      }),
      "Where the image comes from.",
    ),
    useImageFromAction: any("Use the image that another action built.", true),
    containerRegistry: optional(
      text,
      "Kind of the registry: NONE, OTHER, ARTIFACT_REGISTRY or a provider's.",
      "OTHER",
    ),
    containerBuildActionId: any("Action that built the image: its number.", 7),
    containerBuildActionName: any("Name of the action that built the image.", "Build image"),
    exportContainerPath: any("Path the container's file system is exported to.", "/export"),
    executeEveryCommand: any("Run every command even when one fails.", true),
    ignoreImagePullFailures: any("Go on when the image cannot be pulled.", true),
    resetEntrypoint: flag("Ignore the image's entry point.", false),
    cacheBaseImage: any("Keep the base image between runs.", true),
    doNotPruneImages: any("Keep unused images.", true),
    vtSuite: any("Suite of visual tests.", "web"),
    unitTestsSuite: any("Suite of unit tests.", "web"),
    unitTestsPath: any("Path of the unit tests' results.", "reports/junit.xml"),
  },
  examples: {
    create: {
      type: "AGENT",
      containerImageName: "agent",
      containerImageTag: "latest",
      executeCommands: ["agent run"],
      prompts: [{ type: "INLINE", value: "Review the change" }],
    },
    update: { model: "large", timeout: 600, mcpServers: { docs: { url: "https://docs.example.com" } } },
    outside: { timeout: 900 },
  },
};
