/** Tests which outputs a preview of an update shows. */
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../diff/values.js";
import { previewUpdate } from "../../../provider/adapters/preview.js";
import { getDefinition } from "../../../provider/index.js";

describe("the preview of an update", () => {
  const action = getDefinition("Action");
  const news = {
    ...{ project: "web shop", pipeline: 7, name: "Ping", type: "PING" },
    ...{ triggerTime: "ON_EVERY_EXECUTION", destination: "host" },
  };
  const urlIn = (project: string) => `https://host/app/acme/projects/${project}/pipelines/7/actions/8`;
  const olds = { ...news, actionId: 8, htmlUrl: urlIn("web%20shop") };
  const preview = (before: object, changes: object) =>
    previewUpdate(action, { ...olds, ...before }, { ...news, ...changes });

  it("shows the web address, unless the name changes", () => {
    expect(preview({}, { destination: "other" })).toMatchObject({ actionId: 8, htmlUrl: olds.htmlUrl });
    expect(preview({}, { name: "Call" })).toMatchObject({ actionId: 8, htmlUrl: UNKNOWN });
  });

  it("does not show the web address if it contains the former name of a renamed project", () => {
    const outdated = { htmlUrl: urlIn("web") };
    expect(preview(outdated, { destination: "other" })).toMatchObject({ actionId: 8, htmlUrl: UNKNOWN });
    // Of the rename alone, the service is not told at this object.
    expect(preview({ project: "web", ...outdated }, {})).toMatchObject(outdated);
  });
});
