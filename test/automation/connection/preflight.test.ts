/** Tests what a user reads whose connection does not work, and how few requests find it out. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkAdministrator,
  checkConnection,
  readInAdvance,
} from "../../../automation/connection/preflight.js";
import type { Emulator } from "../../../emulator/index.js";
import { SharedReadCache } from "../../../provider/index.js";
import { emulated, personAt } from "../../cli/service-support.js";
import { testIo } from "../../cli/support.js";

const connectionTo = ({ baseUrl, token }: Pick<Emulator, "baseUrl" | "token">, workspace = "acme") => ({
  ...{ baseUrl, token, workspace },
  allowInsecure: false,
});
const pathsOf = ({ journal }: Emulator) => journal.requests.map(({ path }) => path).toSorted();

describe("a workspace that the token does not see", () => {
  const message = (baseUrl: string) =>
    `workspace acmee at ${baseUrl} cannot be used: there is no workspace acmee for this token: it sees acme`;

  it("is answered with those that it sees, before a command on a stack starts", async () => {
    const emulator = await emulated();
    await expect(checkConnection(connectionTo(emulator, "acmee"), testIo().io)).rejects.toThrow(
      message(emulator.baseUrl),
    );
  });

  it("is answered in the same way if the lists of a command are read in advance", async () => {
    const emulator = await emulated();
    const connection = connectionTo(emulator, "acmee");
    await expect(
      readInAdvance(connection, new Set(["Project"]), new SharedReadCache(), testIo().io),
    ).rejects.toThrow(message(emulator.baseUrl));
  });

  it("is answered in the same way by commands without a stack", async () => {
    const ann = personAt(await emulated());
    const ran = await ann.types(["export", "-w", "acmee", "-o", join(ann.file, "../workspace.yaml")]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("there is no workspace acmee for this token: it sees acme");
  });
});

describe("what a command reads in advance", () => {
  it("is what it needs anyway: the lists that only the workspace has", async () => {
    const emulator = await emulated();
    const reads = new SharedReadCache();
    await readInAdvance(
      connectionTo(emulator),
      new Set(["Project", "Group", "Variable"]),
      reads,
      testIo().io,
    );
    expect(pathsOf(emulator)).toEqual(["/workspaces/acme/groups", "/workspaces/acme/projects"]);
    expect(reads.isRead(`${emulator.baseUrl}/workspaces/acme`, "projects")).toBe(true);
  });

  it("is the workspace itself if no such list is needed", async () => {
    const emulator = await emulated();
    await readInAdvance(connectionTo(emulator), new Set(["Variable"]), new SharedReadCache(), testIo().io);
    expect(pathsOf(emulator)).toEqual(["/workspaces/acme"]);
  });

  it("is no reason to fail if the service only denies a list", async () => {
    const emulator = await emulated();
    const token = await emulator.createToken({ scopes: ["WORKSPACE"] });
    const connection = connectionTo({ baseUrl: emulator.baseUrl, token });
    await readInAdvance(connection, new Set(["Group"]), new SharedReadCache(), testIo().io);
  });

  it("names the address that cannot be reached", async () => {
    const connection = connectionTo({ baseUrl: "http://127.0.0.1:9", token: "unused" });
    await expect(
      readInAdvance(connection, new Set(["Group"]), new SharedReadCache(), testIo().io),
    ).rejects.toThrow("workspace acme at http://127.0.0.1:9 cannot be used: GET /workspaces/acme/groups");
  });
});

it("a plan without an object that only administrators change asks for no administrator", async () => {
  const emulator = await emulated();
  const reads = new SharedReadCache();
  await checkAdministrator(connectionTo(emulator), new Set(["Project"]), reads, testIo().io);
  expect(pathsOf(emulator)).toEqual([]);
  await checkAdministrator(connectionTo(emulator), new Set(["Group"]), reads, testIo().io);
  await checkAdministrator(connectionTo(emulator), new Set(["Group", "Variable"]), reads, testIo().io);
  expect(pathsOf(emulator)).toEqual(["/workspaces/acme/permissions", "/workspaces/acme/variables"]);
});
