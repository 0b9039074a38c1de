/** Tests that a preview announces what `up` does, and that `up` keeps what it did, whatever the size. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { listOutputs } from "../../workspace-file/load/outputs.js";
import { startChangingService } from "../provider/changing-service.js";
import { chooseStories, tellsAllStories } from "../stories.js";
import { setUp, temporaryFolder, workspacectl } from "./support.js";

it("previews an update without the objects that refer to what does not change", async () => {
  const { file, run } = await setUp(`version: 1
workspace: acme
projects:
  web:
    displayName: Web
    pipelines:
      Deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
    variables:
      DEPLOY_ID: { value: "id \${ref:projects/web/pipelines/Deploy.pipelineId}" }
variables:
  WEB: { value: "\${ref:projects/web.projectName}" }
`);
  const first = await run("up", "--yes", "--create-stack");
  expect(first.code, first.stderr).toBe(0);
  writeFileSync(
    file,
    readFileSync(file, "utf8")
      .replace("refName: main", "refName: next")
      .replace("displayName: Web", "displayName: Shop"),
  );
  const preview = await run("preview");
  const up = await run("up", "--yes");
  expect({ code: up.code, preview: /(\d+) to update/.exec(preview.stdout)?.[1] }).toEqual({
    code: 0,
    preview: "2",
  });
  expect(up.stdout).toMatch(/Done: 0 created, 2 updated/);
});

const KINDS = `version: 1
workspace: acme
members:
  ann@example.com: { admin: false }
permissionSets:
  deployers: { description: before, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
groups:
  QA: { description: before, members: [ann@example.com] }
projects:
  web:
    displayName: before
    members: { ann@example.com: { permissionSet: deployers } }
    files: { README.md: a text before }
    branches: { develop: {} }
    variables: { TIER: before }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: before
        actions:
          - { name: Build, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: before.example.com }
`;

/** Adds a variable for each output of each kind that the object has. */
function withReferences(text: string): string {
  const file = join(temporaryFolder(), "kinds.yaml");
  writeFileSync(file, text);
  const { declarations } = readDeclarations(file);
  const references = declarations.flatMap((declaration) => {
    const { definition, name } = declaration;
    // The service shows no name of a person who was only invited.
    const isShown = (output: string) => output !== "name" && Object.hasOwn(definition.outputs, output);
    return listOutputs(declaration)
      .filter((output) => definition.document !== undefined && isShown(output))
      .map((output) => `${name}.${output}`);
  });
  const lines = references.map((one, at) => `  REF_${at}: { value: "is \${ref:${one}}" }\n`);
  return `${text}variables:\n${lines.join("")}`;
}

interface PlanJson {
  readonly plan: Steps;
  readonly done?: Steps;
}

interface Steps {
  readonly steps: readonly { readonly operation: string; readonly name: string }[];
}

/** What was done; of a preview, what is planned. */
function stepsIn(json: string): string[] {
  const { plan, done = plan } = JSON.parse(json) as PlanJson;
  return done.steps.map(({ operation, name }) => `${operation} ${name}`).toSorted();
}

it("previews updates of every kind, and of what refers to the one output that changes with its object", async () => {
  const before = withReferences(KINDS);
  const { file, run } = await setUp(before);
  expect(before.match(/REF_/g)?.length).toBeGreaterThan(20);
  const first = await run("up", "--yes", "--create-stack");
  expect(first.code, first.stderr).toBe(0);
  writeFileSync(file, before.replaceAll("before", "after").replace("admin: false", "admin: true"));
  const preview = await run("preview", "--json");
  const up = await run("up", "--yes", "--json");
  expect(up.code, up.stderr).toBe(0);
  expect(stepsIn(up.stdout)).toEqual(stepsIn(preview.stdout));
  expect(stepsIn(preview.stdout).filter((step) => !step.startsWith("update "))).toEqual([]);
  const updated = [...before.matchAll(/(REF_\d+): { value: "is \${ref:(.+)}" }/g)]
    .filter(([, key]) => stepsIn(preview.stdout).includes(`update variables/${key}`))
    .map(([, , output]) => output);
  expect(updated, "outputs that change with their object").toEqual(["projects/web/files/README.md.size"]);
});

const sizes = chooseStories([1_000_000, 10_000, 200_000, 60_000], 1);
const groupsOf = (letter: string) =>
  sizes.map((size) => `  of ${size}: { description: "${letter.repeat(size)}" }\n`).join("");

it.runIf(tellsAllStories)(
  `keeps objects of any size (${sizes.join(", ")}) that the service created and changed in part`,
  { timeout: 600_000 },
  async () => {
    const { env, file, emulator, folder } = await setUp(
      `version: 1\nworkspace: acme\ngroups:\n${groupsOf("x")}`,
    );
    const service = await startChangingService(emulator, (response, method) =>
      method === "GET" ? response : response.replace(/([xz])\1{999}/, "y"),
    );
    afterAll(service.close);
    const through = { ...env, WORKSPACE_AUTOMATION_BASE_URL: service.baseUrl };
    // A failed object ends a run, so each run makes some of them.
    const expectInPart = async (method: string) => {
      emulator.journal.clear();
      const said: string[] = [];
      for (let code: number | undefined = 1; code !== 0 && said.length <= sizes.length;) {
        const ended = await workspacectl(["up", "--yes", "--create-stack", "-f", file], folder, through);
        said.push(ended.stdout + ended.stderr);
        code = ended.code;
      }
      expect(said[0]).toContain('its response shows another value for "description"');
      expect(said.at(-1), "it ends without an error").toMatch(/\d objects? as declared/);
      const writes = emulator.journal.writes().map((write) => write.method);
      expect(writes, "each object is in the state, so none is made or changed twice").toEqual(
        sizes.map(() => method),
      );
    };
    await expectInPart("POST");
    writeFileSync(file, readFileSync(file, "utf8").replace(/groups:[^]*/, `groups:\n${groupsOf("z")}`));
    await expectInPart("PATCH");
  },
);
