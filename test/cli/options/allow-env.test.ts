/** Tests that every command that reads a workspace file takes --allow-env, and that what it reads arrives where files are read. */
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { buildCommandTree, createIo } from "../../../cli/program.js";
import { ALLOW_ENV } from "../../../trust/variables.js";
import { fileIn, run, temporaryFolder, testIo } from "../support.js";

function leaves(
  command: Command,
  path: readonly string[] = [],
): { path: readonly string[]; command: Command }[] {
  const inner = command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
  return path.length === 0 ? inner : [{ path, command }, ...inner];
}
const all = leaves(buildCommandTree(testIo().io, () => () => Promise.resolve()));
const has = (command: Command | null, flag: string): boolean =>
  command !== null && (command.options.some(({ long }) => long === flag) || has(command.parent, flag));
const allowing = all.filter(({ command }) => has(command, "--allow-env"));

describe("--allow-env", () => {
  it("is an option of every command that reads a workspace file, and of fleets", () => {
    const names = allowing.map(({ path }) => path.join(" "));
    expect(names).toEqual([
      ...[
        "validate",
        "lint",
        "render",
        "graph",
        "what-runs",
        "access",
        "preview",
        "up",
        "refresh",
        "destroy",
      ],
      ...["drift", "drift accept", "drift revert", "drift history"],
      ...["export", "import", "compare", "replicate"],
      ...["preview", "up", "drift", "validate", "lint", "access", "compare"].map((name) => `fleet ${name}`),
      ...["owners", "stack repair"],
    ]);
    for (const { path, command } of all)
      if (has(command, "--allow-path")) expect(names).toContain(path.join(" "));
  });

  it.each(allowing.map(({ path, command }) => [path.join(" "), command] as const))(
    "of %s adds to what the environment allows",
    async (name, command) => {
      const { io } = testIo({ [ALLOW_ENV]: "ONE" });
      const ran: (string | undefined)[] = [];
      const tree = buildCommandTree(io, () => (options) => {
        ran.push(createIo(options as object, io).env[ALLOW_ENV]);
        return Promise.resolve();
      });
      const wanted = command.options.filter(
        ({ mandatory, defaultValue }) => mandatory && defaultValue === undefined,
      );
      const argv = [
        ...name.split(" "),
        ...command.registeredArguments.filter(({ required }) => required).map(() => "x"),
        ...wanted.flatMap(({ long }) => [String(long), "x"]),
      ];
      await tree.parseAsync([...argv, "--allow-env", "TWO", "--allow-env", "SHOP_*"], { from: "user" });
      expect(ran).toEqual(["ONE,TWO,SHOP_*"]);
    },
  );

  const folder = temporaryFolder();
  const file = fileIn(
    folder,
    "workspace.yaml",
    'version: 1\nworkspace: acme\nmembers: { ann@example.com: { admin: true } }\nvariables: { REGION: "${env:SHOP_REGION}" }\n',
  );
  const env = { SHOP_REGION: "us-east" };

  it.each([["validate"], ["render"], ["graph"], ["what-runs", "--push", "main"], ["access"]])(
    "lets %s read the variable",
    async (...command) => {
      const refused = await run([...command, "-f", file], env);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("WORKSPACE_VAR_SHOP_REGION is not set");
      expect(refused.stderr).toContain("--allow-env SHOP_REGION");
      expect(await run([...command, "-f", file, "--allow-env", "SHOP_*"], env)).toMatchObject({ code: 0 });
      expect(await run([...command, "-f", file], { ...env, [ALLOW_ENV]: "SHOP_REGION" })).toMatchObject({
        code: 0,
      });
      expect(await run([...command, "-f", file], { WORKSPACE_VAR_SHOP_REGION: "x" })).toMatchObject({
        code: 0,
      });
    },
  );

  it("does not add patterns that are empty", async () => {
    expect(await run(["validate", "-f", file, "--allow-env", "", "--allow-env", " "], env)).toMatchObject({
      code: 1,
    });
  });
});
