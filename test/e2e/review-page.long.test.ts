/** Runs the commands of docs/guards.md about reviewing and approving plans, and compares the output with the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShellWithCommand, played, withoutChance } from "./guide.js";
import { editByHand, repository, setUp, stateIn, withoutProgress, workspacectl } from "./support.js";

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

it("prints the output shown in docs/guards.md", { timeout: 600_000 }, async () => {
  const { folder, emulator, ...service } = await setUp(workspace);
  const env = { ...service.env, ...stateIn(folder) };
  expect(await workspacectl(["up", "--yes", "--create-stack"], folder, env)).toMatchObject({ code: 0 });
  const shell = await openShellWithCommand(folder, env);

  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [page.indexOf("## Review a plan"), page.indexOf("## The request budget")];
  const printed = await played(page.slice(begin, end), shell, () =>
    editByHand(emulator, ["PATCH", "groups", "QA"], { description: "Hobby club" }),
  );
  const section = withoutProgress(printed).replaceAll(emulator.baseUrl, "http://127.0.0.1:8080");
  const now = page.slice(0, begin) + section + page.slice(end);
  if (withoutChance(now) !== withoutChance(page)) await expect(now).toMatchFileSnapshot(PAGE);
});
