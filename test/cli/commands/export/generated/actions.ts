/** Generates bodies of POST .../actions from the table of the specification, and of unknown types. */
import fc from "fast-check";
import { gitAddress, port, webAddress } from "./addresses.js";
import { anyJson, anyText, jsonFieldName, jsonObject, someName, someText } from "./texts.js";

export type Body = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Refers to an integration by name, since its number differs between workspaces. */
export interface IntegrationNamed {
  readonly $integration: string;
}

const text = someText;
const secret = fc.oneof(fc.constantFrom("s3cret", "-----BEGIN KEY-----\nabc\n-----END KEY-----\n"), someText);
const texts = fc.array(anyText, { maxLength: 4 });
const someTexts = fc.array(anyText, { minLength: 1, maxLength: 4 });
const flag = fc.boolean();
const number = fc.oneof(fc.constantFrom(0, 1), fc.nat(100_000));
const numbered = (...names: string[]) =>
  fc.constantFrom(...names).map(($integration): IntegrationNamed => ({ $integration }));
const anyIntegration = numbered("chat-main", "git-host", "platform-cli", "twin", "yes");

const headerName = fc.oneof(fc.constantFrom("Authorization", "X-Api-Key", "Accept", "Cookie"), someText);

const pushOptions: Row = {
  push_tags: flag,
  use_custom_gitignore: flag,
  isolated: flag,
  target_branch: fc.oneof(fc.constant(""), text),
  deployment_excludes: texts,
  deployment_includes: texts,
  without_force: flag,
  comment: text,
};
const vmOptions: Row = {
  input_type: fc.constantFrom("SCM_REPOSITORY", "BUILD_ARTIFACTS"),
  local_path: text,
  passphrase: secret,
  remote_path: text,
  deployment_excludes: texts,
  deployment_includes: texts,
};
const notification: Row = { run_only_on_first_failure: flag };
const commandOptions: Row = {
  run_as_script: flag,
  shell: fc.constantFrom("SH", "BASH"),
  working_directory: text,
  ignore_errors: flag,
};

interface Kind {
  readonly required: Row;
  readonly optional: Row;
  readonly times?: readonly string[];
  readonly notifies?: boolean;
}

const agentWords = {
  strings: [
    "current_revision",
    "main_service_name",
    "run_as_user",
    "version",
    "artifact",
    "registry",
    "login",
  ],
  more: ["username", "region", "target_stage", "container_registry", "container_build_action_name"],
  rest: [
    "export_container_path",
    "vt_suite",
    "unit_tests_suite",
    "unit_tests_path",
    "working_directory",
    "model",
  ],
  flags: ["mount_filesystem_disable", "insecure_registry", "use_image_from_action", "execute_every_command"],
  others: [
    "ignore_image_pull_failures",
    "reset_entrypoint",
    "cache_base_image",
    "do_not_prune_images",
    "disabled",
  ],
};
const rowOf = (names: readonly string[], value: fc.Arbitrary<unknown>): Row =>
  Object.fromEntries(names.map((name) => [name, value]));

const of = (word: string): fc.Arbitrary<unknown> => fc.constant(word);

/** Rows of the table under a descriptive name. */
const kinds: Readonly<Record<string, Kind>> = {
  BUILD: {
    required: {
      type: of("BUILD"),
      container_image_name: text,
      container_image_tag: text,
      execute_commands: someTexts,
    },
    optional: {
      cached_dirs: texts,
      working_directory: text,
      setup_commands: texts,
      services: fc.array(anyJson, { maxLength: 3 }),
    },
  },
  PLATFORM_CLI: {
    required: { type: of("PLATFORM_CLI"), execute_commands: someTexts, integration: anyIntegration },
    optional: { application_name: text },
  },
  HTTP: {
    required: { type: of("HTTP"), notification_url: webAddress },
    optional: {
      port,
      content: text,
      headers: fc.array(fc.record({ name: headerName, value: anyText }), { maxLength: 3 }),
      method: fc.oneof(fc.constantFrom("GET", "POST"), text),
      timeout: fc.constantFrom(0, 1, 600),
      login: text,
      password: secret,
      ...notification,
    },
    notifies: true,
  },
  PING: { required: { type: of("PING"), destination: text }, optional: {} },
  "PUSH by password": {
    required: { type: of("PUSH"), push_url: gitAddress },
    optional: { login: text, password: secret, ...pushOptions },
  },
  "PUSH by key": {
    required: {
      type: of("PUSH"),
      git_auth_mode: of("PRIVATE_KEY"),
      push_url: gitAddress,
      server_key: secret,
    },
    optional: { passphrase: secret, ...pushOptions },
  },
  "PUSH by variable": {
    required: { type: of("PUSH"), git_auth_mode: of("ENV_KEY"), push_url: gitAddress, env_key: text },
    optional: { passphrase: secret, ...pushOptions },
  },
  "CLOUD_VM by variable": {
    required: {
      type: of("CLOUD_VM"),
      authentication_mode: of("ENV_KEY"),
      host: text,
      login: text,
      port,
      env_key: text,
    },
    optional: vmOptions,
  },
  "CLOUD_VM by key": {
    required: {
      type: of("CLOUD_VM"),
      authentication_mode: of("PRIVATE_KEY_AND_PASS"),
      ...{ host: text, login: text, password: secret, port, server_key: secret },
    },
    optional: vmOptions,
  },
  CHAT: {
    required: { type: of("CHAT"), channel: text, integration: anyIntegration },
    optional: { content: text, attachments: texts, ...notification },
    notifies: true,
  },
  SMS: {
    required: { type: of("SMS"), recipients: text },
    optional: { content: text, ...notification },
    notifies: true,
  },
  "SSH_COMMAND by password": {
    required: {
      type: of("SSH_COMMAND"),
      authentication_mode: of("PASS"),
      ...{ commands: someTexts, host: text, login: text, password: secret, port },
    },
    optional: commandOptions,
  },
  "SSH_COMMAND otherwise": {
    required: {
      type: of("SSH_COMMAND"),
      authentication_mode: fc.constantFrom("PRIVATE_KEY", "ENV_KEY", "yes"),
      commands: someTexts,
      host: text,
    },
    optional: {
      login: text,
      port,
      server_key: secret,
      passphrase: secret,
      env_key: text,
      extra: anyJson,
      ...commandOptions,
    },
  },
  AGENT: {
    required: {
      type: of("AGENT"),
      container_image_name: text,
      container_image_tag: text,
      execute_commands: someTexts,
    },
    optional: {
      integration: fc.constantFrom("agent-main", "a b").map((identifier) => ({ identifier })),
      prompts: fc.array(fc.record({ type: fc.constantFrom("INLINE", "FILE"), value: someText }), {
        maxLength: 2,
      }),
      skills: texts,
      mcp_servers: jsonObject,
      trigger_conditions: fc.array(anyJson, { maxLength: 2 }),
      run_next: fc.constantFrom("WAIT_ON_SUCCESS", "IN_SOFT_PARALLEL", "IN_HARD_PARALLEL"),
      variables: fc.array(anyJson, { maxLength: 2 }),
      ...{
        timeout: number,
        retry_count: number,
        retry_interval: number,
        loop: texts,
        volume_mappings: texts,
      },
      ...{ cached_dirs: texts, setup_commands: texts, services: fc.array(anyJson, { maxLength: 2 }) },
      shell: fc.constantFrom("SH", "BASH", "POWERSHELL"),
      image_location: fc.constantFrom("PUBLIC_REGISTRY", "PRIVATE_REGISTRY", "ACTION", "ARTIFACT_REGISTRY"),
      password: secret,
      container_build_action_id: number,
      ...rowOf([...agentWords.strings, ...agentWords.more, ...agentWords.rest], text),
      ...rowOf([...agentWords.flags, ...agentWords.others], flag),
    },
    times: ["ON_WARNING", "ON_WAIT_FOR_APPROVE", "ON_TERMINATE"],
  },
};

const triggerTimes = ["ON_EVERY_EXECUTION", "ON_FAILURE", "ON_BACK_TO_SUCCESS"];

/** Chooses few or many of the optional fields. Some of them are null. */
function fields(row: Row): fc.Arbitrary<Body> {
  const nullable = Object.entries(row).map(([name, value]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
  ]);
  return fc.record(Object.fromEntries(nullable) as Row, { requiredKeys: [] });
}

function ofKind({ required, optional, times = [], notifies }: Kind): fc.Arbitrary<Body> {
  const common = fc.record({ name: someName, trigger_time: fc.constantFrom(...triggerTimes, ...times) });
  return fc
    .tuple(common, fc.record(required), fields(optional), fc.boolean())
    .map(([all, own, more, first]) => {
      const body: Body = { ...more, ...own, ...all };
      // The service rejects a failure notification without this field.
      const asked =
        notifies === true && all.trigger_time === "ON_FAILURE" && body["run_only_on_first_failure"] == null;
      return asked ? { ...body, run_only_on_first_failure: first } : body;
    });
}

/** Fields that the service sets itself. */
const ofService = new Set([
  "id",
  "url",
  "html_url",
  "pipeline",
  "status",
  "last_execution_status",
  "after_action_id",
]);

/** Field names of other types, and words of the workspace file. */
const borrowed = fc.constantFrom(
  ...[
    "variables",
    "services",
    "port",
    "channel",
    "commands",
    "members",
    "fields",
    "adopt",
    "external",
    "retain",
  ],
  ...[
    "protect",
    "previously",
    "key",
    "template",
    "with",
    "pipeline_id",
    "project",
    "timeout",
    "run_as_script",
  ],
  ...["server_key", "git_auth_mode", "authentication_mode", "shell", "executeCommands", "trigger_conditions"],
);

const oddTypes = fc.constantFrom("CUSTOM_SCAN", "DEPLOY", "yes", "null", "X:Y", "build", "BUILD ", "123");
const unknown = fc
  .record({
    type: fc.oneof(oddTypes, someName),
    name: someName,
    trigger_time: fc.constantFrom(...triggerTimes, "ON_WARNING"),
    run_only_on_first_failure: fc.option(flag),
    fields: fc.dictionary(fc.oneof(jsonFieldName, borrowed), anyJson, { maxKeys: 6, noNullPrototype: true }),
    integration: fc.option(anyIntegration, { freq: 6 }),
  })
  .map(({ fields: odd, integration, ...common }): Body => {
    const kept = Object.entries(odd).filter(([name]) => !ofService.has(name));
    return { ...Object.fromEntries(kept), ...(integration === null ? {} : { integration }), ...common };
  });

/** Any action of a type in the table or, less often, of an unknown type. */
export const anyAction: fc.Arbitrary<Body> = fc.oneof(...Object.values(kinds).map(ofKind), unknown, unknown);
/** One action for each row of the table. */
export const actionOfEach: fc.Arbitrary<readonly Body[]> = fc.tuple(...Object.values(kinds).map(ofKind));
