/** The AGENT action (spec, Endpoints: Actions, last row of the table). */
import { z } from "zod";
import { agentTriggerTime, lines, opaqueList, opaqueObject, text } from "../../../schema/index.js";
import { containerImage, executeCommands } from "./fields.js";

const flag = (description: string) => z.boolean().optional().describe(description);
const words = (description: string) => z.string().optional().describe(description);
const seconds = (description: string) => z.int().min(0).optional().describe(description);
const list = (description: string) => lines.optional().describe(description);

export const agent = {
  chosen: { type: "AGENT" },
  description: "Lets an AI agent work in a container.",
  args: {
    type: z.literal("AGENT").describe("What the action does."),
    triggerTime: agentTriggerTime.describe("When in a run the action is carried out."),
    ...containerImage,
    executeCommands,
    integrationIdentifier: text.optional().describe("Identifier of the integration the agent uses."),
    prompts: z
      .array(z.strictObject({ type: z.enum(["INLINE", "FILE"]), value: text }))
      .optional()
      .describe("What the agent is told: texts, or files of the repository."),
    model: words("Model the agent uses."),
    skills: list("Skills of the agent."),
    mcpServers: opaqueObject.optional().describe("MCP servers by name, as the service writes them."),
    triggerConditions: opaqueList
      .optional()
      .describe("Conditions of the action, as the service writes them."),
    runNext: z
      .enum(["WAIT_ON_SUCCESS", "IN_SOFT_PARALLEL", "IN_HARD_PARALLEL"])
      .optional()
      .describe("How the next action follows."),
    variables: opaqueList.optional().describe("Variables of the action itself, as the service writes them."),
    disabled: flag("Leave the action out of runs. Default: false."),
    timeout: seconds("Seconds after which the action is stopped."),
    ignoreErrors: flag("Go on when the action fails."),
    retryCount: z.int().min(0).optional().describe("How often a failed action is tried again."),
    retryInterval: seconds("Seconds between tries."),
    loop: list("Values the action is repeated for."),
    currentRevision: words("Revision the action works on."),
    workingDirectory: words("Directory the commands run in."),
    mainServiceName: words("Name of the main service."),
    runAsUser: words("User the commands run as."),
    version: words("Version."),
    artifact: words("Artifact."),
    mountFilesystemDisable: flag("Do not mount the pipeline's file system."),
    volumeMappings: list("Volume mappings, as the service writes them."),
    cachedDirs: list("Directories kept between runs."),
    setupCommands: list("Commands run only the first time."),
    services: opaqueList
      .optional()
      .describe("Services attached to the container, as the service writes them."),
    shell: z.enum(["SH", "BASH", "POWERSHELL"]).optional().describe("Shell that runs the commands."),
    registry: words("Registry of the image."),
    insecureRegistry: flag("Reach the registry without TLS."),
    login: words("User of the registry."),
    password: words("Password of the registry."),
    username: words("User name."),
    region: words("Region of the registry."),
    targetStage: words("Stage of the image's build."),
    imageLocation: z
      .enum(["PUBLIC_REGISTRY", "PRIVATE_REGISTRY", "ACTION", "ARTIFACT_REGISTRY"])
      .optional()
      .describe("Where the image comes from."),
    useImageFromAction: flag("Use the image that another action built."),
    containerRegistry: text
      .optional()
      .describe("Kind of the registry: NONE, OTHER, ARTIFACT_REGISTRY or a provider's."),
    containerBuildActionId: z.int().optional().describe("Number of the action that built the image."),
    containerBuildActionName: words("Name of the action that built the image."),
    exportContainerPath: words("Path the container's file system is exported to."),
    executeEveryCommand: flag("Run every command even when one fails."),
    ignoreImagePullFailures: flag("Go on when the image cannot be pulled."),
    resetEntrypoint: flag("Ignore the image's entry point. Default: false."),
    cacheBaseImage: flag("Keep the base image between runs."),
    doNotPruneImages: flag("Keep unused images."),
    vtSuite: words("Suite of visual tests."),
    unitTestsSuite: words("Suite of unit tests."),
    unitTestsPath: words("Path of the unit tests' results."),
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
