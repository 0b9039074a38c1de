/** Tests that `drift accept` changes the items of a list or a map of which a report hides the values. */
import { expect, it } from "vitest";
import {
  buildEditsFromWorkspace,
  needsLiveValue,
  planEdits,
} from "../../../../automation/drift/accept-edits.js";
import { openExisting } from "../../../../automation/export/patch/existing-file.js";
import { editWorkspace } from "../../../../workspace-file/edit/edit.js";
import { testIo } from "../../support.js";
import { Kept } from "../export/kept.js";
import { finding } from "./support.js";

// Assembled here, so that this file contains nothing that looks like a token.
const token = ["glpat", "aB3dE5gH7jK9mN1pQ3rS"].join("-");

const FILE = `version: 1
workspace: acme
projects:
  web:
    protect: false
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands:
              - npm ci # what is locked
              - curl -u "bot:\${secret:env:CURL_PASSWORD}" https://example.com
              - |
                npm test
                npm run lint
          - name: Tell
            type: HTTP
            triggerTime: ON_EVERY_EXECUTION
            method: POST
            notificationUrl: https://example.com/hook
            headers:
              - { name: Accept, value: text/plain } # what it takes
              - { name: X-Api-Key, value: "\${secret:env:HOOK_KEY}" }
`;

const name = "projects/web/pipelines/deploy/actions";

async function acceptFrom(
  changes: Readonly<Record<string, object>>,
  findings: Readonly<Record<string, string>>,
  isKnown = true,
) {
  const env = { WORKSPACE_VAR_CURL_PASSWORD: "kf8Hq2mX1c", WORKSPACE_VAR_HOOK_KEY: "zT4" };
  const kept = await Kept.of({ "workspace.yaml": FILE }, env);
  const pipelines = "/projects/web/pipelines";
  const actions = `${pipelines}/${await kept.numberOf(pipelines, "pipelines", "deploy")}/actions`;
  for (const [action, body] of Object.entries(changes))
    await kept.edit("PATCH", `${actions}/${await kept.numberOf(actions, "actions", action)}`, body);
  const existing = openExisting(kept.file(), {}, isKnown ? kept.person.env : {});
  const hidden = Object.entries(findings).map(([action, arg]) =>
    finding({
      type: "Action",
      name: `${name}/${action}`,
      path: arg,
      pathParts: [arg],
      secret: true,
      live: "hmac:2",
    }),
  );
  expect(hidden.filter((one) => needsLiveValue(one, existing.declared.declarations))).toEqual(hidden);
  const { baseUrl, token, workspace } = kept.emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const read = await buildEditsFromWorkspace(
    { unmanaged: [], added: [], hidden },
    existing,
    connection,
    testIo().io,
  );
  const { edits, missing, left } = planEdits(hidden, existing.declared, read);
  const { files, refused } = editWorkspace(
    kept.file(),
    existing.reading,
    edits.map(({ edit }) => edit),
  );
  const after = files[0]?.after ?? FILE;
  return { lines: listChangedLines(after), needed: missing.map(({ variable }) => variable), left, refused };
}

function listChangedLines(after: string): string[] {
  const [before, now] = [FILE.split("\n"), after.split("\n")];
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `-${line.trim()}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+${line.trim()}`),
  ];
}

it.each([true, false])(
  "writes the changed command, and keeps the others with their placeholders: known %s",
  async (isKnown) => {
    const commands = [
      "npm ci",
      'curl -u "bot:kf8Hq2mX1c" https://example.com',
      "npm test\nnpm run lint\n",
      "npm run end",
    ];
    const changes = { Build: { execute_commands: commands } };
    const accepted = await acceptFrom(changes, { Build: "executeCommands" }, isKnown);
    expect(accepted).toEqual({ lines: ["+- npm run end"], needed: [], left: [], refused: [] });
  },
);

it("writes a placeholder for a secret that is new, in its place", async () => {
  const commands = ["npm ci", 'curl -u "bot:kf8Hq2mX1c" https://example.com', `glab auth login -t ${token}`];
  const { lines, needed, left, refused } = await acceptFrom(
    { Build: { execute_commands: commands } },
    { Build: "executeCommands" },
  );
  expect({ left, refused, needed: needed.length }).toEqual({ left: [], refused: [], needed: 1 });
  expect(lines.join("\n")).toContain(`\${secret:env:${needed[0]}}`);
  expect(lines.join("\n")).not.toContain(token);
  expect(lines.filter((line) => line.includes("npm ci") || line.includes("curl"))).toEqual([]);
});

it.each([true, false])("changes one header of several, beside a secret: known %s", async (isKnown) => {
  const headers = [
    { name: "Accept", value: "application/json" },
    { name: "X-Api-Key", value: "zT4" },
  ];
  const accepted = await acceptFrom({ Tell: { headers } }, { Tell: "headers" }, isKnown);
  expect(accepted).toEqual({
    lines: [
      "-- { name: Accept, value: text/plain } # what it takes",
      "+- { name: Accept, value: application/json } # what it takes",
    ],
    needed: [],
    left: [],
    refused: [],
  });
});

it("names the reason where the file and the workspace do not differ any more", async () => {
  const { lines, left } = await acceptFrom({}, { Build: "executeCommands" });
  expect(lines).toEqual([]);
  expect(left.map(({ why }) => why)).toEqual(["the file and the workspace do not differ any more"]);
});
