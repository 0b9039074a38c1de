/** Action types that run commands: builds, the platform's CLI and agents. */
import { z } from "zod";
import { agentTriggerTimes } from "../enums.js";
import { optionalSecretText } from "../fields.js";
import {
  defineActionType,
  integrationById,
  list,
  number,
  opaque,
  optional,
  optionalFlag,
  required,
  requiredList,
} from "./definition.js";

/** Action types that run commands in a container or a tool. */

const container = {
  container_image_name: required,
  container_image_tag: required,
  execute_commands: requiredList,
} as const;

export const build = defineActionType({
  type: "BUILD",
  title: "Build",
  fields: {
    ...container,
    cached_dirs: list,
    working_directory: optional,
    setup_commands: list,
    services: z.array(z.unknown()).nullish(),
  },
});

export const platformCli = defineActionType({
  type: "PLATFORM_CLI",
  title: "Platform CLI",
  fields: {
    execute_commands: requiredList,
    integration: integrationById,
    application_name: optional,
  },
});

export const agent = defineActionType({
  type: "AGENT",
  title: "Agent",
  triggerTime: z.enum(agentTriggerTimes),
  createScope: "PIPELINE_WRITE",
  createStatus: 200,
  defaults: { disabled: false, reset_entrypoint: false },
  fields: {
    ...container,
    integration: z.object({ identifier: required }).nullish(),
    prompts: z.array(z.object({ type: z.enum(["INLINE", "FILE"]), value: required })).nullish(),
    model: optional,
    skills: list,
    mcp_servers: z.object({}).nullish(),
    trigger_conditions: opaque,
    run_next: z.enum(["WAIT_ON_SUCCESS", "IN_SOFT_PARALLEL", "IN_HARD_PARALLEL"]).nullish(),
    variables: opaque,
    disabled: optionalFlag,
    timeout: number,
    ignore_errors: optionalFlag,
    retry_count: number,
    retry_interval: number,
    loop: list,
    current_revision: opaque,
    working_directory: optional,
    main_service_name: opaque,
    run_as_user: opaque,
    version: opaque,
    artifact: opaque,
    mount_filesystem_disable: opaque,
    volume_mappings: list,
    cached_dirs: list,
    setup_commands: opaque,
    services: opaque,
    shell: z.enum(["SH", "BASH", "POWERSHELL"]).nullish(),
    registry: opaque,
    insecure_registry: opaque,
    login: opaque,
    password: optionalSecretText,
    username: opaque,
    region: opaque,
    target_stage: opaque,
    image_location: z.enum(["PUBLIC_REGISTRY", "PRIVATE_REGISTRY", "ACTION", "ARTIFACT_REGISTRY"]).nullish(),
    use_image_from_action: opaque,
    // Accepts any text, since the spec omits the provider-specific kinds.
    container_registry: optional,
    container_build_action_id: opaque,
    container_build_action_name: opaque,
    export_container_path: opaque,
    execute_every_command: opaque,
    ignore_image_pull_failures: opaque,
    reset_entrypoint: optionalFlag,
    cache_base_image: opaque,
    do_not_prune_images: opaque,
    vt_suite: opaque,
    unit_tests_suite: opaque,
    unit_tests_path: opaque,
  },
});
