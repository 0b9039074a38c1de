/** Tests the responses that an interrupted discovery saves for the next one. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Checkpoint } from "../../../provider/discovery/checkpoint.js";

const DAY = 24 * 3_600_000;
let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "answers-"))));
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true, force: true });
});

const open = (subject = "acme", fresh = false) => new Checkpoint(root, [subject], fresh);

function interrupted(answers: Readonly<Record<string, object>>, subject = "acme"): string {
  const run = open(subject);
  const known = new Set(readdirSync(root));
  for (const [key, answer] of Object.entries(answers)) run.save(key, answer);
  const folder = readdirSync(root).find((name) => !known.has(name)) ?? [...known][0] ?? "";
  return join(root, folder, readdirSync(join(root, folder)).at(-1) ?? "");
}

describe("a checkpoint", () => {
  it("returns the responses of all earlier runs, whatever they contain", () => {
    const odd = { "a\tb\n": [{ name: "é\n\t\u2028", nothing: null, zero: 0 }], list: [] };
    interrupted(odd);
    interrupted({ more: { id: 7 } });
    const next = open();
    for (const [key, answer] of Object.entries(odd)) expect(next.load(key)).toEqual(answer);
    expect(next.load("more")).toEqual({ id: 7 });
    expect(next.load("other")).toBeUndefined();
    expect(next.recalled?.answers).toBe(3);
    next.drop();
    expect(readdirSync(root)).toEqual([]);
  });

  it("does not return responses of another discovery, and can be reset", () => {
    interrupted({ user: { id: 1 } });
    expect(open("corp").load("user")).toBeUndefined();
    expect(open("acme", true).load("user")).toBeUndefined();
    expect(open().load("user")).toBeUndefined();
  });

  it("ignores a truncated file", () => {
    writeFileSync(interrupted({ half: { id: 1 } }), '{"id":');
    interrupted({ whole: { id: 1 } });
    const next = open();
    expect(next.load("whole")).toEqual({ id: 1 });
    expect(next.load("half")).toBeUndefined();
  });

  it("expires after a day and is deleted", () => {
    interrupted({ user: { id: 1 } });
    vi.useFakeTimers({ now: Date.now() + DAY + 1000, toFake: ["Date"] });
    expect(open("corp").load("user")).toBeUndefined();
    expect(readdirSync(root)).toEqual([]);
  });
});
