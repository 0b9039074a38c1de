/** The AGENT action (spec, Endpoints: Actions, last row of the table). */
import { z } from "zod";
import { nonSecretArg } from "../definition/define-resource.js";
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
} from "../definition/primitives.js";
import { cachedDirs, containerImage, executeCommands, services, setupCommands, shells } from "./fields.js";

const words = (description: string, example: string) => optional(emptyOrText, description, example);
const number = (description: string, example: number) => optional(z.int().min(0), description, example);
const list = (description: string, ...example: string[]) => optional(lines, description, example);

/** An argument whose type the specification does not show: any JSON value is passed on unchanged. */
const any = (description: string, example: unknown) => optional(z.unknown(), description, example);

const prompt = z.strictObject({
  type: choice({
    INLINE: "`value` is the text.",
    FILE: "`value` is the path of a file in the repository with the text.",
  }).describe("Where the text comes from."),
  value: text
    .describe("The text, or the path of the file.")
    .meta({ examples: ["Find out which test failed and why. Change nothing."] }),
});

export const agent = {
  chosen: { type: "AGENT" },
  description: "Lets an AI agent work in a container.",
  args: {
    type: z.literal("AGENT").describe("What the action does."),
    triggerTime: agentTriggerTime.describe("When the action runs."),
    ...containerImage,
    executeCommands,
    integrationIdentifier: optional(
      text,
      "Identifier (not the name) of the integration that the agent uses.",
      "agent-main",
    ),
    prompts: optional(z.array(prompt), "Instructions for the agent: strings, or files of the repository."),
    model: words("Model that the agent uses.", "large"),
    skills: list("Skills of the agent, by name.", "code-review"),
    mcpServers: optional(opaqueObject, "MCP servers by name, in the service's own format."),
    triggerConditions: optional(
      opaqueList,
      "Conditions under which the action runs, in the service's own format.",
      [{ trigger_condition: "ON_CHANGE" }],
    ),
    runNext: optional(
      choice({
        WAIT_ON_SUCCESS: "The next action begins when this one has succeeded.",
        IN_SOFT_PARALLEL: "The next action starts immediately, in parallel with this one (soft parallel).",
        IN_HARD_PARALLEL: "The next action starts immediately, in parallel with this one (hard parallel).",
      }),
      "How the next action follows.",
    ),
    variables: optional(opaqueList, "Variables of the action itself, in the service's own format.", [
      { key: "CI", value: "true" },
    ]),
    disabled: flag("Exclude the action from runs.", false),
    timeout: number("Seconds after which the action is stopped.", 600),
    ignoreErrors: flag("Continue when the action fails."),
    retryCount: number("Number of times that a failed action is retried.", 2),
    retryInterval: number("Seconds between two attempts.", 30),
    loop: list("Values for which the action is repeated.", "eu", "us"),
    currentRevision: any("Revision on which the action works.", "HEAD"),
    workingDirectory: words("Directory in which the commands run.", "/app"),
    mainServiceName: any("Name of the main service.", "app"),
    runAsUser: any("User as whom the commands run.", "node"),
    version: any("Version of the action.", "1"),
    artifact: any("Artifact on which the action works.", "web"),
    mountFilesystemDisable: any("Do not mount the pipeline's file system.", true),
    volumeMappings: list("Volume mappings, in the service's own format.", "/:/app"),
    cachedDirs,
    setupCommands,
    services,
    nonSecret: nonSecretArg("services", "mcpServers"),
    shell: optional(choice({ ...shells, POWERSHELL: "PowerShell." }), "Shell that runs the commands."),
    registry: any("Address of the registry of the image.", "registry.example.com"),
    insecureRegistry: any("Connect to the registry without TLS.", true),
    login: words("User of the registry.", "ci"),
    password: words("Password of the registry's user.", "${env:REGISTRY_PASSWORD}"),
    username: any("User name, where the registry needs one in addition to `login`.", "ci"),
    region: any("Region of the registry.", "eu-west-1"),
    targetStage: any("Stage of the image build.", "test"),
    imageLocation: optional(
      choice({
        PUBLIC_REGISTRY: "A public registry.",
        PRIVATE_REGISTRY: "A registry that needs `login` and `password`.",
        ACTION: "Another action of the pipeline.",
        ARTIFACT_REGISTRY: "The service's own registry of artifacts.",
      }),
      "Where the image comes from.",
    ),
    useImageFromAction: any("Use the image of another action.", true),
    containerRegistry: optional(
      text,
      "Type of the registry: NONE, OTHER, ARTIFACT_REGISTRY or the type of a provider.",
      "OTHER",
    ),
    containerBuildActionId: any("Action that built the image: its number.", 7),
    containerBuildActionName: any("Name of the action that built the image.", "Build image"),
    exportContainerPath: any("Path to which the container's file system is exported.", "/export"),
    executeEveryCommand: any("Run every command even when one fails.", true),
    ignoreImagePullFailures: any("Continue when the image cannot be pulled.", true),
    resetEntrypoint: flag("Ignore the image's entry point.", false),
    cacheBaseImage: any("Keep the base image between runs.", true),
    doNotPruneImages: any("Keep unused images.", true),
    vtSuite: any("Suite of visual tests.", "web"),
    unitTestsSuite: any("Suite of unit tests.", "web"),
    unitTestsPath: any("Path of the unit test results.", "reports/junit.xml"),
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
