/** Tests the whole screen of each command, as a log shows it. `npx vitest run --project e2e screens --update` writes the files. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { editByHand, type Setup, setUp, withoutProgress, workspacectl } from "./support.js";

const whole = await setUp();
const { file, emulator } = whole;

/** Runs a command, and compares what it writes with the file of that name. @returns the number of lines */
function screen(name: string, ...argv: string[]): Promise<number> {
  return screenOf(whole, name, argv);
}

async function screenOf({ env, emulator, folder }: Setup, name: string, argv: string[]): Promise<number> {
  const { code, stdout, stderr } = await workspacectl(argv, folder, env);
  const text = withoutProgress([stderr, stdout].filter((part) => part !== "").join("\n"))
    .replaceAll(emulator.baseUrl, "<address>")
    .replaceAll(folder, "<folder>")
    .replaceAll(/\d+\.\d s\b/g, "<time>")
    .replaceAll(/sha256:[0-9a-f]+/g, "sha256:<digits>")
    .replaceAll(/hmac:[0-9a-f]+/g, "hmac:<digits>")
    // Ids, which the service gives in the order of the requests.
    .replaceAll(/(?<=[\w.?]) \(\d+\)/g, " (<id>)");
  await expect(`exit code ${code}\n${text}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
  return text.split("\n").length;
}

function change(...edits: readonly (readonly [before: string | RegExp, after: string])[]): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    edits.reduce((changed, [before, after]) => changed.replace(before, after), text),
  );
}

describe.sequential("the screen", () => {
  it("of a first up says everything once, in at most 45 lines", async () => {
    expect(await screen("up-first", "up", "--yes", "--create-stack")).toBeLessThanOrEqual(45);
  });

  it("of a run without changes is one line", async () => {
    expect(await screen("up-nothing", "up", "--yes")).toBe(1);
    expect(await screen("drift-clean", "drift")).toBe(1);
    expect(await screen("refresh-nothing", "refresh")).toBe(1);
    expect(await screen("compare-same", "compare", "stack:dev", "stack:dev")).toBe(1);
  });

  it("of drift has the two commands for each object", async () => {
    await editByHand(emulator, ["PATCH", "groups", "QA"], { description: "Hobby club" });
    await editByHand(emulator, ["DELETE", "groups", "On call"]);
    await editByHand(emulator, ["POST", "groups"], { name: "Hackers" });
    await screen("drift-found", "drift");
    await screen("preview-outside", "preview");
    await screen("refresh-found", "refresh");
  });

  it("of changes is a tree in the order of the file", async () => {
    change(
      ["  QA: { description: Who tests it,", "  Quality: { previously: [QA], description: Who tests it,"],
      ["      NODE_ENV: production\n", '      NODE_ENV: staging\n      DEBUG: "1"\n'],
      ["  dan@example.com: {}\n", "  dan@example.com: {}\n  eve@example.com: {}\n"],
      [
        "executeCommands: [npm ci, npm test, npm run build]",
        "executeCommands: [npm ci, npm run test, npm run build]",
      ],
      [/ {10}- name: Wake somebody[^]*?failed\.\n/, ""],
      [
        "          - name: Tell the team\n",
        "          - name: Is it fast?\n            type: PING\n            triggerTime: ON_EVERY_EXECUTION\n            destination: shop.example.com\n          - name: Tell the team\n",
      ],
      [/ {6}Nightly checks:[^]*?(?=\n {2}api:)/, ""],
    );
    await screen("preview-changes", "preview");
    await screen("preview-details", "preview", "--details");
    await screen("compare-different", "compare", "workspace.yaml", "stack:dev");
    await screen("up-changes", "up", "--yes");
  });

  it("of a destroy counts what is in each container, and says a guard once", async () => {
    await screen("destroy-refused", "destroy", "--yes");
    await screen("destroy", "destroy", "--yes", "--include-protected", "--allow-delete", "**");
  });
});

it("the screen of an import lists what came into the state", async () => {
  const small = await setUp(`version: 1
workspace: acme
groups:
  QA: { description: Who tests it }
projects:
  web:
    pipelines:
      Deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
variables:
  REGION: us-east
`);
  await small.run("up", "--yes", "--create-stack");
  await screenOf(small, "import", ["import", "--stack", "other", "--create-stack"]);
  await screenOf(small, "import-nothing", ["import", "--stack", "other"]);
});
