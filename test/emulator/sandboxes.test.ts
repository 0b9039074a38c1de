/** Tests sandboxes. */
import { expect, test } from "vitest";
import { Clock } from "../../emulator/index.js";
import { as, callerOf, make, start, ws } from "./support.js";

const seed = {
  users: [{ email: "owner@example.com" }, { email: "bob@example.com" }],
  workspaces: [
    {
      domain: "acme",
      members: [{ email: "bob@example.com" }],
      projects: [{ name: "web" }],
      sandboxes: [
        {
          id: "sb1",
          identifier: "dev-box",
          name: "Dev box",
          project: "web",
          status: "STOPPED",
          tags: ["a"],
          os: "ubuntu:22.04",
        },
      ],
    },
  ],
};

test("a sandbox is STARTING after a restart", async () => {
  const clock = new Clock({ frozen: true });
  const { call } = await start({ seed, clock });
  const path = `${ws}/sandboxes/sb1/restart`;
  expect(await make(call, "POST", path)).toMatchObject({
    id: "sb1",
    identifier: "dev-box",
    status: "STARTING",
    os: "ubuntu:22.04",
    tags: ["a"],
    scope: "PROJECT",
    project: { name: "web" },
    snapshot_id: null,
  });
  expect((await call("POST", `${ws}/sandboxes/none/restart`)).status).toBe(404);
});

test("a restart requires a scope, and access to the project", async () => {
  const { emulator } = await start({ seed });
  const path = `${ws}/sandboxes/sb1/restart`;
  const reader = callerOf(emulator, await emulator.createToken({ scopes: ["WORKSPACE"] }));
  expect((await reader("POST", path)).status).toBe(403);
  expect((await (await as(emulator, "bob@example.com"))("POST", path)).status).toBe(403);
});

test("a sandbox is deleted with its project", async () => {
  const { call } = await start({ seed });
  expect((await call("DELETE", `${ws}/projects/web`)).status).toBe(204);
  expect((await call("POST", `${ws}/sandboxes/sb1/restart`)).status).toBe(404);
});
