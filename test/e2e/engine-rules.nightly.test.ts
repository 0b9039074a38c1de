/**
 * What programs rely on where releases of Pulumi differ: objects that are deleted with one that is replaced, and secret marks.
 * `newest-pulumi.nightly` runs it with the newest release, too.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { engines, type ProviderEngine } from "../../provider/index.js";
import { ensurePulumi } from "../../toolchain/index.js";
import { isAtLeast } from "../../toolchain/versions.js";
import { openPlainProgram } from "./plain-program.js";

vi.setConfig({ testTimeout: 600_000 });

/** First release whose engine replaces what is deleted with an object that is replaced. */
const REPLACES_WHAT_IS_DELETED_WITH = "3.260.0";

const head = `import * as pulumi from "@pulumi/pulumi";
import { Group, HttpAction, Pipeline, PingAction, Project, Variable } from "pulumi-workspace-automation";
const project = new Project("web", { name: "web" }, { protect: false });
const trigger = { triggerTime: "ON_EVERY_EXECUTION" };
`;

/** A pipeline that another schedule replaces, with what the service deletes along with it. */
const replaced = (cron: string, references: string) => `${head}
const deploy = new Pipeline("deploy", {
  project, name: "deploy", triggerMode: "SCHEDULED", cron: "${cron}", cronUpdates: "replace", refType: "BRANCH", refName: "main",
}, { deleteBeforeReplace: true });
const options = { deletedWith: deploy, dependsOn: deploy };
new PingAction("ping", { ${references}, name: "Ping", destination: "example.com", ...trigger }, options);
new Variable("level", { ${references}, key: "LEVEL", value: "7" }, options);
`;

/** References to the pipeline: the object, and texts in which the engine sees no other than the one of \`dependsOn\`. */
const forms = [
  ["objects", "project, pipeline: deploy"],
  ["names", 'project: "web", pipeline: "deploy"'],
] as const;

const marked = (mark: string, value: string) => `${head}
const value = ${mark}("${value}");
new Variable("level", { project, key: "LEVEL", value, description: value });
new Group("group", { name: "Testers", description: value });
const deploy = new Pipeline("deploy", { project, name: "deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
new HttpAction("http", {
  pipeline: deploy, name: "Notify", notificationUrl: "https://example.com", headers: [{ name: "X-Level", value }], ...trigger,
});
`;

async function setUp(engine: ProviderEngine) {
  const env = { WORKSPACE_AUTOMATION_DELETE_PROJECTS: "web" };
  const { root, emulator, run, stepsOf } = await openPlainProgram(engine, "rules", {}, env);
  const read = async (path: string) =>
    (await emulator.edit({ method: "GET", path: `/workspaces/acme/${path}` })).body as Listed;
  return {
    ...{ emulator, run, read },
    declare: (program: string) => writeFileSync(join(root, "program.js"), program),
    /** Runs the program, and returns its steps with each object. */
    stepsOf: async (...argv: string[]) =>
      (await stepsOf(...argv)).map(({ operation, name }) => `${operation} ${name}`).toSorted(),
  };
}

type Listed = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>;

describe.each(engines)("with the engine %s", (engine) => {
  it.each(forms)(
    "what is deleted with a replaced pipeline is created again: references by %s",
    async (form, references) => {
      const { declare, run, read, stepsOf } = await setUp(engine);
      const readContents = async () => {
        const { pipelines = [] } = await read("projects/web/pipelines");
        const pipeline = String(pipelines[0]?.["id"]);
        const { actions } = await read(`projects/web/pipelines/${pipeline}/actions`);
        const { variables } = await read(`variables?projectName=web&pipelineId=${pipeline}`);
        return { pipelines, actions, variables };
      };
      declare(replaced("0 1 * * *", references));
      await run("up", "--yes", "--skip-preview");
      declare(replaced("0 2 * * *", references));
      const announced = await stepsOf("preview");
      expect(await stepsOf("up", "--yes", "--skip-preview")).toEqual(announced);

      const { version } = await ensurePulumi();
      if (form === "names" && !isAtLeast(version, REPLACES_WHAT_IS_DELETED_WITH)) {
        // The former engine replaces the pipeline alone, and the state keeps what the service deleted with it.
        expect(await readContents()).toMatchObject({ actions: [], variables: [] });
        await run("refresh", "--yes");
        await run("up", "--yes", "--skip-preview");
      }
      expect(await readContents()).toMatchObject({
        pipelines: [{ name: "deploy" }],
        actions: [{ name: "Ping" }],
        variables: [{ key: "LEVEL", value: "7" }],
      });
      await run("preview", "--expect-no-changes");
      await run("refresh", "--yes", "--expect-no-changes");
      await run("destroy", "--yes", "--skip-preview");
    },
  );

  it("a value that becomes secret is written to the state alone, and never in clear", async () => {
    const { emulator, declare, run, stepsOf } = await setUp(engine);
    declare(marked("", "told-to-all"));
    await run("up", "--yes", "--skip-preview");
    expect(await run("stack", "export")).toContain("told-to-all");

    declare(marked("pulumi.secret", "told-to-all"));
    emulator.journal.clear();
    await stepsOf("up", "--yes", "--skip-preview");
    expect(emulator.journal.writes()).toEqual([]);
    expect(await run("stack", "export")).not.toContain("told-to-all");
    await run("preview", "--expect-no-changes");

    declare(marked("pulumi.secret", "told-to-nobody"));
    expect(await run("preview", "--diff")).not.toContain("told-to-nobody");
    await run("up", "--yes", "--skip-preview");
    await run("refresh", "--yes", "--expect-no-changes");
    expect(await run("stack", "export")).not.toMatch(/told-to/);
  });
});
