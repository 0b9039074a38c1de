/** The example files say what the documentation promises of them: valid, without findings, formatted, for each of their stacks. */
import { basename, join } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { run } from "./support.js";

const repository = join(import.meta.dirname, "../..");
const all = globSync("examples/**/*.yaml", {
  cwd: repository,
  // A seed of the emulator speaks the service's language.
  ignore: ["**/node_modules/**", "**/Pulumi*.yaml", "examples/ci/**", "examples/first-day/**"],
});
const documents = all.filter((file) => basename(file) === "workspace.yaml");
const cases = documents.flatMap((file) => {
  const overlays = all.filter((other) => other.startsWith(`${file.slice(0, -".yaml".length)}.`));
  const stacks = overlays.flatMap((overlay) => /workspace\.(.+)\.yaml$/.exec(overlay)?.[1] ?? []);
  return [[file, "dev"], ...stacks.map((stack) => [file, stack])] as [string, string][];
});

describe("examples", () => {
  it.each(cases)("%s, stack %s", async (file, stack) => {
    const at = ["-f", join(repository, file), "--stack", stack];
    const checked = await run(["validate", "--offline", ...at]);
    expect(checked.stderr).toBe("");
    expect(checked.code).toBe(0);
    const { stdout } = await run(["lint", "--format", "json", ...at]);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] });
  });

  it("are formatted", async () => {
    const files = documents.length > 0 ? all.map((file) => join(repository, file)) : [];
    expect(files.length).toBeGreaterThan(2);
    expect(await run(["fmt", "--check", ...files])).toMatchObject({ code: 0, stdout: "" });
  });
});
