/** Runs the commands of docs/guards.md about reviewing and approving plans, and compares the output with the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { played, Shell, withoutChance } from "./guide.js";
import { repository, setUp, stateIn, withoutProgress, workspacectl } from "./support.js";

const PAGE = join(repository, "docs/guards.md");
const workspace = `version: 1
workspace: acme

members:
  ann@example.com: {}

permissionSets:
  deployers:
    description: Who may deploy
    repositoryAccessLevel: READ_ONLY
    pipelineAccessLevel: RUN_ONLY

groups:
  QA: { description: Testers }
  Old team: {}

projects:
  web:
    members:
      ann@example.com: { permissionSet: deployers }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
`;

it("prints the output shown in docs/guards.md", { timeout: 240_000 }, async () => {
  const { folder, emulator, get, edit, ...service } = await setUp(workspace);
  const env = { ...service.env, ...stateIn(folder) };
  const run = (...argv: string[]) => workspacectl(argv, folder, env);
  expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
  const shell = new Shell(folder, env);
  onTestFinished(() => shell.close());
  await shell.run(
    `workspacectl() { "${process.execPath}" "${join(repository, "dist/bin/workspacectl.js")}" "$@"; }`,
  );

  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [page.indexOf("## Review a plan"), page.indexOf("## The request budget")];
  const printed = await played(page.slice(begin, end), shell, async () => {
    const { groups } = await get<{ groups: { id: number; name: string }[] }>("/groups");
    const id = groups.find(({ name }) => name === "QA")?.id;
    await edit("PATCH", `/groups/${String(id)}`, { description: "Hobby club" });
  });
  const section = withoutProgress(printed).replaceAll(emulator.baseUrl, "http://127.0.0.1:8080");
  const now = page.slice(0, begin) + section + page.slice(end);
  // The address of the emulator is a part of the fingerprint.
  const same = (text: string) => withoutChance(text).replace(/sha256:[0-9a-f]+/g, "sha256:0");
  if (same(now) !== same(page)) await expect(now).toMatchFileSnapshot(PAGE);
});
