/** Tests which inputs are refused before any request, and with which messages. */
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../diff/values.js";
import { formatProblemLine, getDefinition, validateArgs } from "../../../provider/index.js";

function problems(type: string, args: Record<string, unknown>): string[] {
  return validateArgs(getDefinition(type), args).map(formatProblemLine);
}

const pipeline = { project: "web", name: "deploy", triggerMode: "MANUAL", refName: "main" };
const action = { project: "web", pipeline: 1, name: "Step", triggerTime: "ON_EVERY_EXECUTION" };

describe("a Pipeline", () => {
  it("needs a start date and a delay, or a cron, when it is scheduled", () => {
    expect(problems("Pipeline", { ...pipeline, triggerMode: "SCHEDULED" })).toEqual([
      "cron: is required with triggerMode: SCHEDULED, unless startDate and delay are set",
    ]);
    expect(
      problems("Pipeline", { ...pipeline, triggerMode: "SCHEDULED", startDate: "2026-01-01T00:00:00Z" }),
    ).toEqual(["delay: is required with triggerMode: SCHEDULED, unless cron is set"]);
    expect(problems("Pipeline", { ...pipeline, triggerMode: "SCHEDULED", cron: "0 2 * * *" })).toEqual([]);
  });

  it("accepts no schedule when it is not scheduled", () => {
    expect(problems("Pipeline", { ...pipeline, cron: "0 2 * * *", paused: true })).toEqual([
      "cron: needs triggerMode SCHEDULED",
      "paused: needs triggerMode SCHEDULED",
    ]);
  });

  it("suggests the closest enumeration value and property for a misspelled one", () => {
    expect(problems("Pipeline", { ...pipeline, triggerMode: "ON_EVERY_PUHS", refname: "x" })).toEqual([
      'triggerMode: must be one of MANUAL, SCHEDULED, ON_EVERY_PUSH. Did you mean "ON_EVERY_PUSH"?',
      'refname: unknown property "refname". Did you mean "refName"?',
    ]);
  });

  it("accepts unknown values in a preview, and still checks known ones", () => {
    const args = { ...pipeline, project: UNKNOWN, refName: UNKNOWN, refType: "TREE" };
    expect(problems("Pipeline", args)).toEqual([
      "refType: must be one of BRANCH, TAG, WILDCARD, PULL_REQUEST, NONE",
    ]);
    expect(problems("Pipeline", { ...pipeline, refname: UNKNOWN })).toEqual([
      'refname: unknown property "refname". Did you mean "refName"?',
    ]);
    expect(problems("Pipeline", { ...pipeline, triggerMode: UNKNOWN })).toEqual([]);
    expect(
      problems("Pipeline", { ...pipeline, triggerMode: "SCHEDULED", startDate: UNKNOWN, delay: UNKNOWN }),
    ).toEqual([]);
  });
});

describe("the schedule of a Pipeline", () => {
  const scheduled = { ...pipeline, triggerMode: "SCHEDULED" };

  it.each([
    { cron: "0 2 * * *" },
    { cron: "0 2 * * *", startDate: "2026-01-01T00:00:00Z" },
    { cron: "0 2 * * *", delay: 60 },
    { cron: "0 2 * * *", startDate: "2026-01-01T00:00:00Z", delay: 60 },
    { startDate: "2026-01-01T00:00:00Z", delay: 60 },
  ])("accepts %o", (schedule) => {
    expect(problems("Pipeline", { ...scheduled, ...schedule })).toEqual([]);
  });

  it("documents how the service interprets runAlways", () => {
    expect(getDefinition("Pipeline").args.shape["runAlways"]).toHaveProperty(
      "description",
      expect.stringContaining("true runs only if the branch has changed since the last run"),
    );
  });
});

describe("a PermissionSet", () => {
  const set = {
    name: "qa",
    description: "Testers",
    repositoryAccessLevel: "READ_ONLY",
    pipelineAccessLevel: "RUN_ONLY",
  };

  it.each(Object.keys(set))("requires %s, and refuses null", (name) => {
    const { [name as keyof typeof set]: _, ...rest } = set;
    expect(problems("PermissionSet", rest)).toEqual([expect.stringMatching(`^${name}: is required`)]);
    expect(problems("PermissionSet", { ...set, [name]: null })).toEqual([
      expect.stringMatching(`^${name}: must be `),
    ]);
  });
});

describe("a Project", () => {
  it("requires a name when it is hosted", () => {
    expect(problems("Project", { displayName: "Web" })).toEqual([
      "name: is required unless the project is integrated",
    ]);
  });

  it("requires a display name, an integration and the external id when it is integrated", () => {
    expect(problems("Project", { integration: "git-host" })).toEqual([
      "displayName: is required for an integrated project",
      "externalProjectId: is required for an integrated project",
    ]);
  });

  it("requires a user, and over HTTPS a password, for an external repository", () => {
    expect(problems("Project", { name: "web", customRepoUrl: "https://git.example.com/web.git" })).toEqual([
      "customRepoUser: is required with customRepoUrl",
      "customRepoPass: is required when customRepoUrl begins with https",
    ]);
    expect(
      problems("Project", {
        name: "web",
        customRepoUrl: "ssh://git@git.example.com/web",
        customRepoUser: "git",
      }),
    ).toEqual([]);
  });

  it("requires the repository address with its user and password", () => {
    expect(problems("Project", { name: "web", customRepoUser: "git" })).toEqual([
      "customRepoUrl: is required with customRepoUser",
    ]);
    expect(problems("Project", { name: "web", customRepoUser: "git", customRepoPass: "x" })).toEqual([
      "customRepoUrl: is required with customRepoUser and customRepoPass",
    ]);
  });
});

describe("an Action", () => {
  it("accepts the fields of its type only", () => {
    expect(problems("Action", { ...action, type: "PING", executeCommands: ["ls"] })).toEqual([
      "destination: is required",
      'executeCommands: unknown property "executeCommands" here: it is a property of BUILD, PLATFORM_CLI, AGENT. Remove it, or choose one of these with type',
    ]);
  });

  it("requires runOnlyOnFirstFailure for a notification on failure", () => {
    const sms = { ...action, type: "SMS", recipients: "+15550100", triggerTime: "ON_FAILURE" };
    expect(problems("Action", sms)).toEqual([
      "runOnlyOnFirstFailure: is required for a notification with triggerTime ON_FAILURE",
    ]);
    expect(problems("Action", { ...sms, runOnlyOnFirstFailure: false })).toEqual([]);
    expect(
      problems("Action", { ...action, type: "PING", destination: "host", triggerTime: "ON_FAILURE" }),
    ).toEqual([]);
  });

  it("of type PUSH requires the fields of its authentication mode", () => {
    const push = { ...action, type: "PUSH", pushUrl: "git@host:web.git" };
    expect(problems("Action", push)).toEqual([]);
    expect(problems("Action", { ...push, gitAuthMode: "PRIVATE_KEY" })).toEqual(["serverKey: is required"]);
    expect(problems("Action", { ...push, gitAuthMode: "ENV_KEY" })).toEqual(["envKey: is required"]);
    expect(problems("Action", { ...push, gitAuthMode: "KEY" })).toEqual([
      "gitAuthMode: must be one of PRIVATE_KEY, ENV_KEY with type PUSH",
    ]);
  });

  it("of type CLOUD_VM requires an authentication mode", () => {
    expect(problems("Action", { ...action, type: "CLOUD_VM", host: "vm" })).toContain(
      "authenticationMode: must be one of ENV_KEY, PRIVATE_KEY_AND_PASS with type CLOUD_VM",
    );
  });

  it("of an unknown type accepts only the service's own field names", () => {
    expect(problems("Action", { ...action, type: "CUSTOM_SCAN", fields: { scan_target: "src" } })).toEqual(
      [],
    );
    expect(problems("Action", { ...action, type: "CUSTOM_SCAN", scanTarget: "src" })).toEqual([
      "type: is none of BUILD, PLATFORM_CLI, HTTP, PING, PUSH, CLOUD_VM, CHAT, SMS, SSH_COMMAND, AGENT: correct it. If the service has this type, keep it, and write its further properties in a map, fields: { ... }",
    ]);
  });

  it("of a misspelled type is refused with a suggestion", () => {
    expect(problems("Action", { ...action, type: "BIULD" })).toEqual([
      'type: "BIULD" is not a known type. Did you mean "BUILD"?',
    ]);
  });

  it("of type HTTP accepts a timeout of 0 to 600 seconds", () => {
    const http = { ...action, type: "HTTP", notificationUrl: "https://host" };
    expect(problems("Action", { ...http, timeout: 601 })).toEqual(["timeout: must be at most 600"]);
    expect(problems("Action", { ...http, timeout: 600 })).toEqual([]);
  });

  it("of type AGENT accepts trigger times that other types refuse", () => {
    const agent = {
      ...action,
      type: "AGENT",
      containerImageName: "a",
      containerImageTag: "1",
      executeCommands: ["x"],
    };
    expect(problems("Action", { ...agent, triggerTime: "ON_WARNING" })).toEqual([]);
    expect(
      problems("Action", { ...action, type: "PING", destination: "host", triggerTime: "ON_WARNING" }),
    ).toHaveLength(1);
  });

  it("of a type that is unknown until the update is checked for the common fields", () => {
    expect(problems("Action", { ...action, type: UNKNOWN, triggerTime: "NEVER", host: "x" })).toEqual([
      "triggerTime: must be one of ON_EVERY_EXECUTION, ON_FAILURE, ON_BACK_TO_SUCCESS",
    ]);
  });
});

it("a failed check puts the path into the reason, since the engine prints the value of a named property", async () => {
  const { createDynamicProvider } = await import("../../../provider/adapters/dynamic.js");
  const provider = createDynamicProvider(getDefinition("Variable"));
  const { failures } = await provider.check({}, { key: "", value: "hunter2", encrypted: "yes" });
  expect(failures).toEqual([
    { property: "", reason: "key: must not be empty" },
    { property: "", reason: "encrypted: must be true or false" },
  ]);
});

it("a whole number becomes text where an argument is text, as an output such as groupId is known in an update only", async () => {
  const { createDynamicProvider } = await import("../../../provider/adapters/dynamic.js");
  const check = (type: string, args: Record<string, unknown>) =>
    createDynamicProvider(getDefinition(type)).check({}, args);
  const variable = await check("Variable", { key: "GROUP", value: 5 });
  expect([variable.failures, variable.inputs["value"]]).toEqual([[], "5"]);
  const step = { ...action, project: "web", type: "BUILD", containerImageName: "node" };
  const build = await check("Action", { ...step, containerImageTag: 22, executeCommands: ["a", 7] });
  expect([build.failures, build.inputs["containerImageTag"], build.inputs["executeCommands"]]).toEqual([
    [],
    "22",
    ["a", "7"],
  ]);
  for (const value of [1.5, true])
    expect((await check("Variable", { key: "A", value })).failures).toHaveLength(1);
});

describe("a reference without what it is looked up in", () => {
  const step = { name: "Step", type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" };
  const missing = (type: string, args: Record<string, unknown>) =>
    problems(type, args).map((line) => line.split(":")[0]);

  it("is refused before any object is created", () => {
    expect(problems("Action", { ...step, pipeline: "deploy" })).toEqual([
      "project: is required next to pipeline: that is the name of a Pipeline, which others may have, too",
    ]);
    expect(problems("Action", { ...step, pipeline: 7 })).toEqual([
      "project: is required next to pipeline: that is the number of a Pipeline, whose path contains it",
    ]);
    expect(missing("ActionOrder", { pipeline: 7, actions: [1] })).toEqual(["project"]);
    expect(missing("Execution", { pipeline: "deploy", revision: "HEAD" })).toEqual(["project"]);
    const variable = { key: "A", value: "b" };
    expect(missing("Variable", { ...variable, pipeline: "deploy" })).toEqual(["project"]);
    expect(missing("Variable", { ...variable, action: "Ping" })).toEqual(["project", "pipeline"]);
  });

  it("is accepted where a number is enough, and where the object is not known yet", () => {
    for (const pipeline of [UNKNOWN, "acme/web/7"])
      expect(problems("Action", { ...step, pipeline })).toEqual([]);
    expect(problems("Action", { ...step, pipeline: "deploy", project: UNKNOWN })).toEqual([]);
    for (const scope of [{ pipeline: 7 }, { action: 7 }, { action: "acme/web/7/9" }])
      expect(problems("Variable", { key: "A", value: "b", ...scope })).toEqual([]);
  });
});
