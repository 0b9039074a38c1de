/** Tests what a user reads who names a workspace that the token does not see. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConnection } from "../../../cli/connection/preflight.js";
import { emulated, personAt } from "../service-support.js";
import { testIo } from "../support.js";

describe("a workspace that the token does not see", () => {
  it("is answered with those that it sees, before a command on a stack starts", async () => {
    const { baseUrl, token } = await emulated();
    const connection = { baseUrl, token, workspace: "acmee", allowInsecure: false };
    await expect(checkConnection(connection, new Set(), testIo().io)).rejects.toThrow(
      `workspace acmee at ${baseUrl} cannot be used: there is no workspace acmee for this token: it sees acme`,
    );
  });

  it("is answered in the same way by commands without a stack", async () => {
    const ann = personAt(await emulated());
    const ran = await ann.types(["export", "-w", "acmee", "-o", join(ann.file, "../workspace.yaml")]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("there is no workspace acmee for this token: it sees acme");
  });
});
