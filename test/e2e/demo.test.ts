/** Runs `demo`. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emulatorForTests, isolated, temporaryFolder, withoutProgress, workspacectl } from "./support.js";

const folder = temporaryFolder();

describe("workspacectl demo", { timeout: 600_000 }, () => {
  it("completes all its steps, and leaves no files behind", async () => {
    const users = await emulatorForTests();
    const env = isolated(folder, {
      TMPDIR: folder,
      WORKSPACE_AUTOMATION_CONNECTION: "us",
      WORKSPACE_AUTOMATION_US_BASE_URL: users.baseUrl,
      WORKSPACE_AUTOMATION_US_TOKEN: users.token,
    });
    const { code, stdout, stderr } = await workspacectl(["demo"], folder, env);
    expect(users.journal.requests, "the user's own service").toEqual([]);
    expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: "" });
    const steps = stdout.split("\n").filter((line) => line.startsWith("["));
    expect(steps).toEqual([
      "[1/8] A service to work with",
      "[2/8] Bring up the workspace",
      "[3/8] What the service has now",
      "[4/8] Somebody changes a group in the web application",
      "[5/8] Detect the drift",
      "[6/8] Reconcile",
      "[7/8] Run it once more: no changes",
      "[8/8] Clean up",
    ]);
    // Splits the output into one part per command line.
    const example = "-f examples/quickstart/workspace.yaml";
    const parts = stdout.split(/^\$ workspacectl /m).slice(1);
    expect(parts.map((part) => part.split("\n", 1)[0])).toEqual([
      `up ${example} --create-stack --yes`,
      `drift ${example}`,
      `up ${example} --yes`,
      `up ${example} --yes`,
      `destroy ${example} --yes --include-protected --allow-delete "**"`,
    ]);
    const [created, drift, mended, again, gone] = parts;
    expect(created).toContain("Done: 41 created");
    expect(drift).toContain("Hobby club");
    expect(mended).toContain("Done: 0 created, 1 updated");
    expect(again).toContain("No changes");
    expect(gone).toContain("41 deleted");
    expect(gone).toContain("Workspace acme again: 1 member, 0 groups");
    // Pulumi creates its home when it is asked for its version, which happens if PULUMI_BIN is set.
    expect(readdirSync(folder).filter((name) => name !== "pulumi-home")).toEqual([]);
  });
});
