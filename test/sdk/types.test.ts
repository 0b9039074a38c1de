/** Lets the compiler check the types for users: what they accept, refuse and return. */
import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, expectTypeOf, it } from "vitest";
import type {
  Action,
  ActionArgs,
  BuildAction,
  BuildActionArgs,
  Group,
  GroupArgs,
  GroupMemberArgs,
  HttpActionArgs,
  OtherAction,
  Pipeline,
  PipelineArgs,
  Project,
  ProjectArgs,
  Variable,
  VariableArgs,
  WorkspaceMember,
} from "../../sdk/nodejs/index.js";

describe("arguments", () => {
  it("accept a resource, a number or a name as a reference", () => {
    expectTypeOf<Project>().toExtend<PipelineArgs["project"]>();
    expectTypeOf<string>().toExtend<PipelineArgs["project"]>();
    expectTypeOf<number>().toExtend<GroupMemberArgs["group"]>();
    expectTypeOf<Pipeline>().not.toExtend<PipelineArgs["project"]>();
    expectTypeOf<pulumi.Output<string>>().toExtend<VariableArgs["value"]>();
  });

  it("accept members of an exclusive group or project as resources, numbers or emails", () => {
    type People = GroupArgs["members"];
    expectTypeOf<WorkspaceMember[]>().toExtend<People>();
    expectTypeOf<(string | number)[]>().toExtend<People>();
    expectTypeOf<Group[]>().not.toExtend<People>();
    const members: ProjectArgs["members"] = [{ member: "bob@example.com", permissionSet: 3 }];
    // @ts-expect-error a project member has rights
    const noRights: ProjectArgs["members"] = [{ member: "bob@example.com" }];
    expect([members, noRights].flat()).toHaveLength(2);
  });

  it("accept outputs at every depth", () => {
    expectTypeOf<(string | pulumi.Output<string>)[]>().toExtend<BuildActionArgs["executeCommands"]>();
    expectTypeOf<{ name: string; value: pulumi.Output<string> }[]>().toExtend<HttpActionArgs["headers"]>();
    expectTypeOf<pulumi.Output<Project>>().toExtend<PipelineArgs["project"]>();
    expectTypeOf<Promise<Project>>().toExtend<PipelineArgs["project"]>();
    expectTypeOf<pulumi.Output<WorkspaceMember[]>>().toExtend<GroupArgs["members"]>();
    expectTypeOf<(string | pulumi.Output<WorkspaceMember>)[]>().toExtend<GroupArgs["members"]>();
    expectTypeOf<pulumi.Output<Pipeline>>().not.toExtend<PipelineArgs["project"]>();
  });

  it("of an action depend on its type", () => {
    const build: ActionArgs = {
      pipeline: 1,
      name: "Build",
      type: "BUILD",
      triggerTime: "ON_EVERY_EXECUTION",
      containerImageName: "node",
      containerImageTag: "22",
      executeCommands: ["npm test"],
    };
    expectTypeOf(build).toExtend<BuildActionArgs>();
    // @ts-expect-error a PING has a destination
    const noDestination: ActionArgs = {
      pipeline: 1,
      name: "Ping",
      type: "PING",
      triggerTime: "ON_EVERY_EXECUTION",
    };
    const misspelled: ActionArgs = {
      pipeline: 1,
      name: "Build",
      // @ts-expect-error BUIDL is no type, and it is the type that the compiler complains of
      type: "BUIDL",
      triggerTime: "ON_EVERY_EXECUTION",
      containerImageName: "node",
      containerImageTag: "22",
      executeCommands: ["npm test"],
    };
    expect([build, noDestination, misspelled].map(({ type }) => type)).toEqual(["BUILD", "PING", "BUIDL"]);
    type OtherArgs = ConstructorParameters<typeof OtherAction>[1];
    const fields = { cluster: "main" };
    const other: OtherArgs = {
      pipeline: 1,
      name: "Roll out",
      type: "ROLLOUT",
      triggerTime: "ON_FAILURE",
      fields,
    };
    expectTypeOf(other.type).toExtend<pulumi.Input<string>>();
  });

  it("refuse unknown and missing properties", () => {
    // @ts-expect-error no such trigger mode
    const wrong: PipelineArgs = { project: "web", name: "deploy", triggerMode: "SOMETIMES", refName: "main" };
    // @ts-expect-error refName is missing
    const incomplete: PipelineArgs = { project: "web", name: "deploy", triggerMode: "MANUAL" };
    // @ts-expect-error a description is a text
    const number: GroupArgs = { name: "QA", description: 5 };
    expect([wrong.name, incomplete.name, number.name]).toEqual(["deploy", "deploy", "QA"]);
  });
});

describe("outputs", () => {
  it("have the types of the service", () => {
    expectTypeOf<Group["groupId"]>().toEqualTypeOf<pulumi.Output<number>>();
    expectTypeOf<Project["httpRepository"]>().toEqualTypeOf<pulumi.Output<string>>();
    expectTypeOf<BuildAction>().toExtend<Action>();
    expectTypeOf<Group["description"]>().toEqualTypeOf<pulumi.Output<string | null | undefined>>();
  });

  it("may be undefined if the service or the declaration omits them", () => {
    expectTypeOf<WorkspaceMember["name"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
    expectTypeOf<Variable["pipelineId"]>().toEqualTypeOf<pulumi.Output<number | undefined>>();
    expectTypeOf<Group["memberIds"]>().toEqualTypeOf<pulumi.Output<readonly number[] | undefined>>();
  });
});
