/** Tests that a new type needs one file and one line. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, withAddedLines } from "../pages.js";
import { compileEmulator, type Process, startProcess } from "./compiled.js";
import { type Caller, make, message, send, ws } from "./support.js";

// Adds the type from docs/contributing/adding-a-resource.md.
const blocks = blocksOf("docs/contributing/adding-a-resource.md").filter(({ file }) =>
  file.startsWith("emulator/"),
);
let compiled: Awaited<ReturnType<typeof compileEmulator>>;
let directory: string;
beforeAll(async () => {
  const changes = new Map(blocks.map((block) => [block.file.replace("emulator/", ""), block]));
  compiled = await compileEmulator({
    added: blocks.filter(({ isDiff }) => !isDiff).map(({ file }) => file.replace("emulator/", "")),
    edit(path, text) {
      const block = changes.get(path);
      if (block === undefined) return text;
      return block.isDiff ? withAddedLines(text, block) : block.text;
    },
  });
  directory = await mkdtemp(join(tmpdir(), "emulator-badges-"));
});
afterAll(async () => {
  await compiled.remove();
  await rm(directory, { recursive: true, force: true });
});

const callerOf =
  ({ baseUrl, token }: Process): Caller =>
  (method, path, body) =>
    send(baseUrl, method, path, { token, body });

test("one file and one line add a type with endpoints, storage, a description and deletion with its project", async () => {
  let emulator = await startProcess(compiled.folder, { dataDir: directory });
  let call = callerOf(emulator);
  for (const name of ["web", "api"]) await make(call, "POST", `${ws}/projects`, { name });
  const badges = `${ws}/projects/web/badges`;
  const { id } = await make(call, "POST", badges, { label: "Build" });
  expect(message(await call("POST", badges, {}))).toBe("Value of 'label' cannot be empty.");
  expect(await make(call, "PATCH", `${badges}/${id}`, { label: "Tests" })).toMatchObject({
    url: `${emulator.baseUrl}${badges}/${id}`,
    label: "Tests",
    hidden: false,
  });
  expect(await make(call, "GET", badges)).toMatchObject({ badges: [{ id, label: "Tests" }] });
  expect((await call("GET", `${ws}/projects/api/badges/${id}`)).status).toBe(404);
  const served = (await (await fetch(`${emulator.baseUrl}/app/-/openapi.json`)).json()) as {
    components: { schemas: object };
  };
  expect(served.components.schemas).toHaveProperty("Badge");

  await emulator.kill();
  emulator = await startProcess(compiled.folder, { dataDir: directory });
  call = callerOf(emulator);
  expect(await make(call, "GET", `${badges}/${id}`)).toMatchObject({ label: "Tests" });
  await make(call, "DELETE", `${badges}/${id}`);
  expect((await call("GET", `${badges}/${id}`)).status).toBe(404);

  const other = await make(call, "POST", badges, { label: "Deploy" });
  await make(call, "DELETE", `${ws}/projects/web`);
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  expect(await make(call, "GET", badges)).toMatchObject({ badges: [] });
  expect((await call("GET", `${badges}/${other.id}`)).status).toBe(404);
  await emulator.kill();
});
