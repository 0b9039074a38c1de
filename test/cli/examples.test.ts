/** Tests that the example files are valid, formatted and free of findings for each of their stacks. */
import { basename, join } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { run } from "./support.js";

const repository = join(import.meta.dirname, "../..");
const all = globSync("examples/**/*.yaml", {
  cwd: repository,
  // Emulator seeds use the format of the service.
  ignore: [
    "**/node_modules/**",
    "**/Pulumi*.yaml",
    "examples/ci/**",
    "examples/first-day/**",
    // Manifests for Kubernetes.
    "examples/kubernetes/**/*.yaml",
  ],
});
const documents = all.filter((file) => basename(file) === "workspace.yaml");
const cases = documents.flatMap((file) => {
  const overlays = all.filter((other) => other.startsWith(`${file.slice(0, -".yaml".length)}.`));
  const stacks = overlays.flatMap((overlay) => /workspace\.(.+)\.yaml$/.exec(overlay)?.[1] ?? []);
  return [[file, "dev"], ...stacks.map((stack) => [file, stack])] as [string, string][];
});

describe("examples", () => {
  it.each(cases)("%s is valid without findings for stack %s", async (file, stack) => {
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
