import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emulatorForTests, isolated, temporaryFolder, withoutProgress, workspacectl } from "./support.js";

const folder = temporaryFolder();

describe("workspacectl demo", () => {
  it("shows the whole story, and leaves nothing behind", async () => {
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
      "[3/8] What was made, asked of the service itself",
      "[4/8] Somebody changes a group in the web application",
      "[5/8] The drift is seen",
      "[6/8] Reconcile",
      "[7/8] Once more: nothing to do",
      "[8/8] Clean up",
    ]);
    expect(stdout).toContain("41 created");
    expect(stdout).toContain("No changes, 41 unchanged.");
    expect(stdout).toContain("41 deleted. Workspace acme again: 1 member, 0 groups");
    // Pulumi makes its home as soon as it is asked for its version.
    expect(readdirSync(folder)).toEqual(["pulumi-home"]);
  });
});
