/** Tests workspace-file/edit/overlay.ts. */
import { describe, expect, it } from "vitest";
import { locateSteps, OverlayText, readPlain } from "../../../workspace-file/edit/edit.js";

const tell = [...locateSteps("projects/web/pipelines/deploy/actions/Tell"), { key: "integration" }];

const said = (
  text: string | undefined,
  ...statements: [steps: Parameters<OverlayText["say"]>[0], value: unknown][]
) => {
  const overlay = new OverlayText(text);
  for (const [steps, value] of statements) expect(overlay.say(steps, value)).toBe(true);
  // What is compared before the file is written.
  expect(readPlain(overlay.text)).toEqual(overlay.expected);
  return overlay.text;
};

describe("the text of an overlay", () => {
  it("is created if there is none", () => {
    expect(
      said(
        undefined,
        [[{ key: "workspace" }], "acme-eu"],
        [[{ key: "groups" }], { $remove: true }],
        [tell, "chat-eu"],
        [[...locateSteps("projects/web"), { key: "external" }], true],
      ),
    ).toBe(`version: 1
workspace: acme-eu
groups: { $remove: true }
projects:
  web:
    external: true
    pipelines:
      deploy:
        actions:
          - name: Tell
            integration: chat-eu
`);
  });

  it("retains existing contents, including comments and styles", () => {
    const text = `# EU
version: 1   # always
workspace: acme-eu
projects:
  web: # the shop
    pipelines:
      deploy:
        actions:
          # another channel
          - { name: Tell, channel: C0EUROPE }
groups: {  }
`;
    const fresh = said(text, [tell, "chat-eu"], [[...locateSteps("groups/QA")], { $remove: true }]);
    expect(fresh).toBe(
      text
        .replace("Tell, ", "Tell, integration: chat-eu, ")
        .replace("groups: {  }", "groups:\n  QA: { $remove: true }"),
    );
    expect(new OverlayText(fresh).said(tell)).toBe("chat-eu");
    expect(new OverlayText(fresh).said([{ key: "groups" }])).toEqual({ QA: { $remove: true } });
    expect(new OverlayText(fresh).said([{ key: "members" }])).toBeUndefined();
  });

  it("retains a byte order mark and line endings", () => {
    expect(said("\uFEFFversion: 1\r\nworkspace: a\r\n", [[{ key: "workspace" }], "b"])).toBe(
      "\uFEFFversion: 1\r\nworkspace: b\r\n",
    );
  });

  it("is not changed when a value cannot be set there", () => {
    expect(new OverlayText("version: 1\nprojects: text\n").say(tell, "x")).toBe(false);
  });
});
