/** Tests automation/policy/request-budget.ts. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import {
  type Budget,
  computeReserve,
  createShortageError,
  estimate,
  judgeSufficiency,
} from "../../../automation/policy/request-budget.js";
import { countRequests } from "../../../automation/stack/run-operations.js";
import { removeTemporaryFolders } from "../../../automation/temporary-folders.js";
import { printBudget, waitUntil } from "../../../cli/operations/print-budget.js";
import { getAddress, REQUEST_COUNTER_VARIABLE, SharedReadCache } from "../../../provider/index.js";
import { testIo } from "../../cli/support.js";
import { object } from "./guards/plan.js";

const resetAt = new Date("2126-03-04T13:00:00Z");

function budget(requests: number, remaining: number, percent = 20): Budget {
  const left = { limit: 5000, remaining, resetAt };
  const needed = { reads: 1, writes: requests - 1 };
  return { made: { reads: 20, writes: 0 }, needed, left, reserve: computeReserve(left, percent) };
}

describe("the hourly request budget", () => {
  it("is sufficient when a plan leaves a fifth of the requests to others", () => {
    expect(judgeSufficiency(budget(100, 1100))).toBe("enough");
    expect(judgeSufficiency(budget(101, 1100))).toBe("short");
    expect(judgeSufficiency(budget(101, 1100, 0))).toBe("enough");
  });

  it("is never sufficient for a plan that needs more than a whole hour's requests", () => {
    expect(judgeSufficiency(budget(4001, 5000))).toBe("too-much");
    expect(createShortageError(budget(4001, 5000)).message).toContain(
      "Even the requests of a full hour are not enough",
    );
    expect(judgeSufficiency(budget(4000, 2000))).toBe("short");
  });

  it("is that of a full hour once the window has ended, even if no response has said so yet", () => {
    expect(judgeSufficiency(budget(4000, 0), resetAt.getTime() - 1)).toBe("short");
    expect(judgeSufficiency(budget(4000, 0), resetAt.getTime())).toBe("enough");
    expect(judgeSufficiency(budget(4001, 0), resetAt.getTime())).toBe("too-much");
  });

  it("does not matter if there is nothing to send or the service reports no limit", () => {
    expect(judgeSufficiency({ ...budget(1, 0), needed: { reads: 0, writes: 0 } })).toBe("enough");
    const { left: _, ...silent } = budget(9000, 0);
    expect(judgeSufficiency(silent)).toBe("enough");
    const { io, written } = testIo();
    printBudget(silent, io);
    expect(written().stdout).toContain("the service does not say how many are left");
    expect(computeReserve(undefined, 20)).toBe(0);
  });

  it("is printed before a plan is applied", () => {
    const { io, written } = testIo();
    printBudget(budget(100, 1100), io);
    expect(written().stdout).toMatch(
      /^Requests: about 100 to apply it \(1 to read, 99 to write\), 20 made so far; 1100 of 5000 left until \d\d:00:00, 1000 of them reserved\n$/,
    );
  });

  it("is reported with the remaining requests, the reset time and a remedy", () => {
    expect(createShortageError(budget(300, 1200)).message).toBe(
      "refused, nothing was changed: this takes about 300 requests, and 1200 of 5000 are left until " +
        "2126-03-04T13:00:00.000Z, of which 1000 are reserved (--reserve). Run it again after that time, add --wait to wait for it, " +
        "or set --reserve lower",
    );
  });

  it("is waited for until its reset, with a message if there is no terminal", async () => {
    const { io, written } = testIo();
    await waitUntil(new Date(Date.now() + 20), "The remaining requests of this hour are not enough", io);
    expect(written().stderr).toMatch(
      /^The remaining requests of this hour are not enough: waiting 0:01, until \d\d:\d\d:\d\d\n$/,
    );
  });

  it("is waited for through an hour, with a line every ten seconds", async () => {
    vi.useFakeTimers({ now: new Date("2026-03-04T12:00:00Z") });
    try {
      const { io, written } = testIo();
      let isOver = false;
      const waiting = waitUntil(new Date("2026-03-04T13:00:00Z"), "Too few requests", io).then(
        () => (isOver = true),
      );
      await vi.advanceTimersByTimeAsync(59.5 * 60_000);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(30_000);
      await waiting;
      const lines = written().stderr.trim().split("\n");
      expect(lines[0]).toContain("Too few requests: waiting 60:00, until ");
      expect(lines.length).toBe(360);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is waited for in one line on a terminal, which then disappears", async () => {
    // Its import would take longer than the wait.
    await import("log-update");
    const { io, written } = testIo();
    Object.assign(io.stderr, { isTTY: true, columns: 80, rows: 24 });
    await waitUntil(new Date(Date.now() + 50), "Too few requests", io);
    const { stderr } = written();
    expect(stderr).toContain("Too few requests: waiting 0:01");
    // An escape sequence, which moves the cursor back, comes last.
    expect(stripVTControlCharacters(stderr.slice(stderr.lastIndexOf("\u001B")))).toBe("");
  });
});

describe("the requests of a plan", () => {
  /** The look for groups of the same name at the end of the run: a page, and the proof that it is the last. */
  const TWINS = 2;

  const at = { workspace: "acme", baseUrl: "https://api.example.com" };
  const estimateOf = (objects: readonly PlannedObject[], reads = new SharedReadCache(), refreshes = false) =>
    estimate({ objects, reads, refreshes, sizes: new Map() }, at);
  const group = (name: string) => object("create", "Group", `groups/${name}`, {}, { name });

  it("are those of all its objects: a look for objects of the name, and a write each", async () => {
    expect(await estimateOf([group("QA"), group("Ops")])).toEqual({ reads: 1 + TWINS, writes: 2 });
    expect(await estimateOf([object("same", "Group", "groups/QA", { name: "QA" })])).toEqual({
      reads: 0,
      writes: 0,
    });
  });

  it("do not include what the preview has read", async () => {
    const reads = new SharedReadCache();
    const load = () => Promise.resolve({ items: [], end: "proven" as const });
    await reads.of(getAddress(at.baseUrl, at.workspace)).list("groups", load);
    expect(await estimateOf([group("QA")], reads)).toEqual({ reads: TWINS, writes: 1 });
  });

  it("include those that failed in the preview, if `up` refreshes too", async () => {
    const reads = new SharedReadCache();
    const known = reads.of(getAddress(at.baseUrl, at.workspace));
    await known.single("groups/7", () => Promise.reject(new Error("gone"))).catch(() => {});
    expect(await estimateOf([group("QA")], reads, true)).toEqual({ reads: 2 + TWINS, writes: 1 });
    expect(await estimateOf([group("QA")], reads)).toEqual({ reads: 1 + TWINS, writes: 1 });
  });

  it("include none for the members of a list, which are written with the list", async () => {
    const member = object("create", "GroupMember", "groups/QA/members/a", {}, { group: 1, member: 2 });
    expect(await estimateOf([{ ...member, within: "groups/QA" }])).toEqual({ reads: 0, writes: 0 });
    expect((await estimateOf([member])).writes).toBe(1);
  });
});

describe("counting requests", () => {
  it("is done in a file that the processes of a command share", () => {
    const { io } = testIo({ PATH: "/bin" });
    const counting = countRequests(io);
    expect(counting.io.env).toEqual({ PATH: "/bin", [REQUEST_COUNTER_VARIABLE]: counting.file });
    expect(counting.io.stdout).toBe(io.stdout);
    expect(countRequests(counting.io)).toEqual({ io: counting.io, file: counting.file });
  });

  it("leaves nothing behind", () => {
    const { file } = countRequests(testIo().io);
    expect(existsSync(dirname(file))).toBe(true);
    // Other tests of this process may have added theirs.
    expect(process.listeners("exit")).toContain(removeTemporaryFolders);
    removeTemporaryFolders();
    expect(existsSync(dirname(file))).toBe(false);
  });
});
