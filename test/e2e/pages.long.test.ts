/** Runs the console blocks of pages after an `up` of one small workspace, and compares the output with the pages. */
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { chooseStories } from "../stories.js";
import { openShellWithCommand, pages, played, withoutChance } from "./guide.js";
import { editByHand, repository, setUp, stateIn, withoutProgress, workspacectl } from "./support.js";

const workspace = `# Who builds and runs the shop.
version: 1
workspace: acme

members:
  ann@example.com: { admin: true }
  bob@example.com: { admin: false }

permissionSets:
  developers: { description: Who write the code, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY }

groups:
  QA: { description: Testers } # they test
  On call: { description: Who is woken at night, members: [bob@example.com] }

variables:
  REGION: us-east # where
  DEPLOY_TOKEN: { value: "\${env:DEPLOY_TOKEN}", encrypted: true }

projects:
  web:
    members: { bob@example.com: { permissionSet: developers } }
    variables: { NODE_ENV: production }
    pipelines:
      Nightly checks: { triggerMode: SCHEDULED, refType: BRANCH, refName: main, cron: "0 2 * * *" }
  api: {}
`;

it.each(chooseStories(pages, 2))(
  "prints the output shown in docs/%s.md",
  { timeout: 600_000 },
  async (name) => {
    const file = join(repository, `docs/${name}.md`);
    const setup = await setUp(workspace, {}, { WORKSPACE_VAR_DEPLOY_TOKEN: "token-of-the-file" });
    const { emulator } = setup;
    const folder = join(setup.folder, "shop");
    mkdirSync(folder);
    renameSync(setup.file, join(folder, "workspace.yaml"));
    const own = Object.entries(setup.env).map(([key, value]) => [
      key.replace(/^WORKSPACE_AUTOMATION_/, "$&US_"),
      value,
    ]);
    const env = { ...Object.fromEntries(own), ...setup.env, ...stateIn(folder) } as NodeJS.ProcessEnv;
    expect(await workspacectl(["up", "--yes", "--create-stack"], folder, env)).toMatchObject({ code: 0 });
    const shell = await openShellWithCommand(folder, env);

    const page = readFileSync(file, "utf8");
    const printed = await played(page, shell, (what) => byHand(emulator, what));
    const now = withoutProgress(printed)
      .replaceAll(emulator.baseUrl, "http://127.0.0.1:8080")
      .replaceAll(folder, "/home/olga");
    // Fingerprints depend on the key of a stack, or on the address of the emulator, and numbers on the order of requests.
    const same = (text: string) =>
      withoutChance(text).replace(
        /(members\/|in the service: |^ +- |On call \(|\(developers \(|· member )\d+\b/gm,
        "$1#",
      );
    if (same(now) !== same(page)) await expect(now).toMatchFileSnapshot(file);
  },
);

/** Changes an object as somebody would in the browser: `PATCH groups/QA {"description": "Hobby club"}`. */
async function byHand(emulator: Emulator, what: string): Promise<void> {
  const [, method, list = "", name, body] =
    /^(POST|PATCH|DELETE) (\S+?)(?:\/([^/{]*?))?(?: (\{.*\}))?$/.exec(what) ?? [];
  if (method === undefined) expect.fail(`nobody knows how to do this by hand: ${what}`);
  await editByHand(emulator, [method as "POST", list, name], body && JSON.parse(body));
}
