/**
 * Generates workspaces in the service's own format, as request bodies that do not depend on our resource definitions.
 */
import fc from "fast-check";
import type { EmulatorOptions } from "../../../../../emulator/index.js";
import { anyAction, type Body } from "./actions.js";
import { anyText, someName, someText } from "./texts.js";

export interface RawAction {
  readonly body: Body;
  readonly variables: readonly Body[];
}

export interface RawPipeline {
  readonly body: Body;
  readonly variables: readonly Body[];
  readonly actions: readonly RawAction[];
}

/** Selects an object of a list of any length: the number is taken modulo the length. */
type Pick = number;

export interface RawProject {
  readonly body: Body;
  readonly members: readonly { readonly member: Pick; readonly set: Pick }[];
  readonly variables: readonly Body[];
  readonly branches: readonly Body[];
  readonly pipelines: readonly RawPipeline[];
}

export interface RawWorkspace {
  readonly members: readonly { readonly email: string; readonly admin: boolean }[];
  readonly permissionSets: readonly Body[];
  readonly groups: readonly { readonly body: Body; readonly members: readonly Pick[] }[];
  readonly variables: readonly Body[];
  readonly projects: readonly RawProject[];
}

const flag = fc.option(fc.boolean());
const description = fc.oneof({ weight: 3, arbitrary: someText }, { weight: 2, arbitrary: fc.constant(null) });

const keyOfVariable = fc.oneof(
  fc.stringMatching(/^[A-Z][A-Z0-9_]{0,9}$/),
  fc.constantFrom("API_TOKEN", "PASSWORD", "API_KEY", "api_key", "PATH", "no_secret"),
  someName,
);
const variable: fc.Arbitrary<Body> = fc.record(
  { key: keyOfVariable, value: someText, description, ssh_key: flag, settable: flag, encrypted: flag },
  { requiredKeys: ["key", "value"] },
);
const variables = (most: number) => fc.array(variable, { maxLength: most });

const member = fc.record({
  email: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.stringMatching(/^[a-z]{1,4}([.+_-][a-z0-9]{1,3})?@[a-z]{1,5}\.example\.(com|org)$/),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("Ann@example.com", "123@example.com", "o'hara@example.com", "no@no.no"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("\u00fcmit@ex\u00e4mple.com", "a/b@example.com", '"a"@example.com', "a:@x"),
    },
  ),
  admin: fc.boolean(),
});

const permissionSet: fc.Arbitrary<Body> = fc.record({
  name: fc.oneof(someName, fc.constantFrom("Developer", "Read-only")),
  description: someText,
  repository_access_level: fc.constantFrom("DENIED", "READ_ONLY", "READ_WRITE"),
  pipeline_access_level: fc.constantFrom("DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"),
});

const group = fc.record({
  body: fc.record({ name: someName, description }, { requiredKeys: ["name"] }),
  members: fc.array(fc.nat(20), { maxLength: 4 }),
});

const switches = {
  always_from_scratch: flag,
  auto_clear_cache: flag,
  no_skip_to_most_recent: flag,
  do_not_create_commit_status: flag,
};
const schedule = fc.oneof(
  fc.record({ cron: fc.constantFrom("0 2 * * *", "*/5 * * * 1-5") }),
  fc.record({
    start_date: fc.constantFrom("2026-01-31T08:00:00Z", "2025-12-31T23:59:59.999Z"),
    delay: fc.constantFrom(1, 1440),
    ...{ run_always: flag, paused: flag },
  }),
);
const pipelineBody: fc.Arbitrary<Body> = fc
  .tuple(
    fc.record(
      {
        name: someName,
        ref_name: fc.oneof(fc.constantFrom("main", "feature/*", "v1.0", "refs/pull/1"), someText),
        ref_type: fc.constantFrom("BRANCH", "TAG", "WILDCARD", "PULL_REQUEST", "NONE"),
        ...switches,
      },
      { requiredKeys: ["name", "ref_name"] },
    ),
    fc.oneof(
      fc.constantFrom("MANUAL", "ON_EVERY_PUSH").map((trigger_mode): Body => ({ trigger_mode })),
      schedule.map((when): Body => ({ trigger_mode: "SCHEDULED", ...when })),
    ),
  )
  .map(([body, when]) => ({ ...body, ...when }));

const projectBody: fc.Arbitrary<Body> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ name: someName, display_name: fc.option(someText) }, { requiredKeys: ["name"] }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        display_name: someText,
        integration: fc.constant({ $integration: "git-host" }),
        external_project_id: someText,
        git_lab_project_id: fc.option(fc.nat(999).map(String)),
      },
      { requiredKeys: ["display_name", "integration", "external_project_id"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: someName,
      custom_repo_url: fc.constantFrom("https://git.example.com/web.git", "git@git.example.com:web.git"),
      custom_repo_user: someText,
      custom_repo_pass: someText,
    }),
  },
);

const branch: fc.Arbitrary<Body> = fc.record({
  name: fc.oneof(
    fc.constantFrom("release/1.0", "feature/a", "yes", "null", "1.0", "Main"),
    fc.stringMatching(/^[a-z]{1,6}$/),
  ),
  description: fc.option(someText),
});

export interface Size {
  readonly projects: number;
  readonly pipelines: number;
  readonly actions: number;
  readonly others: number;
}

export function rawWorkspace({ projects, pipelines, actions, others }: Size): fc.Arbitrary<RawWorkspace> {
  const action = fc.record({ body: anyAction, variables: variables(2) });
  const pipeline = fc.record({
    body: pipelineBody,
    variables: variables(2),
    actions: fc.array(action, { maxLength: actions }),
  });
  const project = fc.record({
    body: projectBody,
    members: fc.array(fc.record({ member: fc.nat(20), set: fc.nat(20) }), { maxLength: 3 }),
    variables: variables(3),
    branches: fc.array(branch, { maxLength: 2 }),
    pipelines: fc.array(pipeline, { maxLength: pipelines }),
  });
  return fc.record({
    members: fc.uniqueArray(member, { maxLength: others, selector: ({ email }) => email.toLowerCase() }),
    permissionSets: fc.array(permissionSet, { maxLength: others }),
    groups: fc.array(group, { maxLength: others }),
    variables: variables(others),
    projects: fc.array(project, { maxLength: projects }),
  });
}

/** Settings for behavior that the specification leaves open. */
export type Settings = Pick2<
  EmulatorOptions,
  | "embeddedActions"
  | "listedActions"
  | "singleActionPaths"
  | "embeddedActionStatusField"
  | "maxPerPage"
  | "echoMemberEmail"
>;
type Pick2<T, K extends keyof T> = Required<{ [P in K]: NonNullable<T[P]> }>;

const extent = fc.constantFrom("full" as const, "summary" as const);
export const anySettings: fc.Arbitrary<Settings> = fc.record({
  embeddedActions: extent,
  listedActions: extent,
  singleActionPaths: fc.boolean(),
  embeddedActionStatusField: fc.constantFrom("status" as const, "last_execution_status" as const),
  maxPerPage: fc.constantFrom(20, 100),
  echoMemberEmail: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
});

export { anyText };
