/** Tests references by the ids of other objects. */
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../diff/values.js";
import { KnownObjects, replaceIds } from "../../../provider/crud/id-references.js";
import type { Fields } from "../../../provider/index.js";
import { getDefinition } from "../../../resources/registry.js";

/** Replaces the ids among the arguments of an object in workspace acme. */
function replaced(type: string, news: Fields, { known = new KnownObjects(), olds = {} } = {}) {
  return replaceIds(getDefinition(type), olds, news, { known, workspaceOf: () => "acme" });
}

describe("a reference by id", () => {
  it("becomes the name of the project that the id contains", () => {
    const { args, problems } = replaced("Pipeline", { project: "acme/web", name: "deploy" });
    expect(args).toEqual({ project: "web", projectId: "acme/web", name: "deploy" });
    expect(problems).toEqual([]);
  });

  it("becomes the present name of a project that this run has renamed", () => {
    const known = new KnownObjects();
    known.note(getDefinition("Project"), "acme/web", { name: "web" }, { name: "site", projectName: "site" });
    const { args } = replaced("Pipeline", { project: "acme/web" }, { known });
    expect(args).toEqual({ project: "site", projectId: "acme/web" });
  });

  it("becomes a number, with the project of the referenced pipeline", () => {
    const known = new KnownObjects();
    known.note(getDefinition("Pipeline"), "acme/web/7", { project: "site", projectId: "acme/web" });
    const { args } = replaced("Action", { pipeline: "acme/web/7" }, { known });
    expect(args).toMatchObject({ pipeline: 7, project: "site" });
  });

  it("takes the project from the id of a pipeline that this run has not seen", () => {
    expect(replaced("Action", { pipeline: "acme/web/7" }).args).toMatchObject({
      pipeline: 7,
      project: "web",
    });
  });

  it("keeps the project of the last run while it names the same pipeline", () => {
    const olds = { pipeline: 7, project: "site" };
    expect(replaced("Action", { pipeline: "acme/web/7" }, { olds }).args).toMatchObject({ project: "site" });
    const other = { pipeline: 8, project: "site" };
    expect(replaced("Action", { pipeline: "acme/web/7" }, { olds: other }).args).toMatchObject({
      project: "web",
    });
  });

  it("is decoded", () => {
    expect(replaced("Pipeline", { project: "acme/a%20b" }).args).toMatchObject({ project: "a b" });
  });

  it("may stand in a list", () => {
    const members = ["acme/12", "ann@example.com", 13];
    expect(replaced("Group", { name: "QA", members }).args).toEqual({
      name: "QA",
      members: [12, "ann@example.com", 13],
    });
  });

  it.each([
    ["a name", "web"],
    ["an unknown value", UNKNOWN],
    ["an id with too many parts", "acme/web/7"],
    ["nothing before the slash", "/web"],
    ["nothing after the slash", "acme/"],
  ])("is not %s", (_, project) => {
    expect(replaced("Pipeline", { project }).args).toEqual({ project });
  });

  it.each(["acme/web/x", "acme/web/0", "acme/web/07"])("is not %s where a number is needed", (pipeline) => {
    expect(replaced("Action", { pipeline }).args).toEqual({ pipeline });
  });

  it("is refused if another account has shown the object, with both workspaces", () => {
    new KnownObjects().note(getDefinition("Project"), "eu-one/web", { name: "web" });
    const { args, problems } = replaced("Pipeline", { project: "eu-one/web" });
    expect(args).toEqual({ project: "eu-one/web" });
    expect(problems).toEqual([
      {
        property: "",
        reason:
          'project: "eu-one/web" is the id of a Project in workspace eu-one, and this object is in workspace acme: use the same workspace and provider for both',
      },
    ]);
  });

  it("is a name with a slash if nobody has shown such an object", () => {
    expect(replaced("Pipeline", { project: "nobody/web" })).toEqual({
      args: { project: "nobody/web" },
      problems: [],
    });
  });

  it("is left alone while the workspace or the connection is not known", () => {
    new KnownObjects().note(getDefinition("Project"), "acme-two/web", { name: "web" });
    const news = { project: "acme-two/web" };
    const sessions = [{ known: new KnownObjects(), workspaceOf: () => undefined }, undefined];
    for (const session of sessions)
      expect(replaceIds(getDefinition("Pipeline"), {}, news, session)).toEqual({ args: news, problems: [] });
  });
});
