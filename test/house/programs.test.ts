/** The lint rules find each way to start a program, in each room: one is planted at a time. */
import { readdirSync } from "node:fs";
import { ESLint, Linter } from "eslint";
import tseslint from "typescript-eslint";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

const ROOMS = listRooms().map((room) => (room === "sdk" ? "sdk/nodejs" : room));

const PLANTED = [
  'import { execSync } from "node:child_process";',
  'import * as all from "child_process";',
  'export * from "child_process";',
  'export { exec } from "node:child_process";',
  'import { setTimeout } from "child_process/promises";',
  'import { fork } from "node:cluster";',
  'import { Worker } from "node:worker_threads";',
  'import { execa } from "execa";',
  'import { execaSync } from "execa/sync";',
  'import shell from "shelljs";',
  'import pty from "node-pty";',
  'await import("node:child_process");',
  "await import(`child_process`);",
  'await import("child_" + "process");',
  'require("child_process");',
  'createRequire(import.meta.url)("child_process");',
  'module.createRequire("/")("node:child_process");',
  'process.getBuiltinModule("child_process");',
  'process.binding("spawn_sync");',
  'process.dlopen({}, "./theirs.node");',
  'new Function("return 1");',
  'eval("1");',
];

const eslint = new ESLint();

async function listProblems(file: string, code: string): Promise<readonly string[]> {
  const { rules = {} } = (await eslint.calculateConfigForFile(file)) as Linter.Config;
  const { "@typescript-eslint/no-restricted-imports": imports, "no-restricted-syntax": syntax } = rules;
  const found = new Linter().verify(
    code,
    [
      {
        files: ["**/*.ts"],
        languageOptions: { parser: tseslint.parser },
        plugins: { "@typescript-eslint": tseslint.plugin },
        rules: {
          "@typescript-eslint/no-restricted-imports": imports,
          "no-restricted-syntax": syntax,
        },
      },
    ],
    file,
  );
  return found.map(({ message }) => message);
}

it.each(ROOMS)("%s starts no program by itself", async (room) => {
  for (const code of PLANTED)
    expect((await listProblems(`${room}/planted.ts`, code)).join(), code).toContain(
      "Programs are started by",
    );
  expect(
    await listProblems(`${room}/planted.ts`, 'import type { ChildProcess } from "node:child_process";'),
  ).toEqual([]);
  expect(await listProblems(`${room}/planted.ts`, 'await import("yaml");')).toEqual([]);
});

it("the rules are for all rooms", () => {
  const folders = readdirSync(".", { withFileTypes: true }).filter((one) => one.isDirectory());
  const none = /^(\..*|coverage|dist|docs|examples|findings|node_modules|packages|scripts|test)$/;
  const rooms = folders.map(({ name }) => name).filter((name) => !none.test(name));
  expect(rooms.toSorted()).toEqual(ROOMS.map((room) => room.split("/")[0]).toSorted());
});
