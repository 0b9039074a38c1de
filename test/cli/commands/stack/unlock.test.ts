/** Tests that nobody ends a run by accident who releases a lock. */
import { describe, expect, it } from "vitest";
import type { FoundLock } from "../../../../automation/stack/locks.js";
import { isAgreed } from "../../../../cli/commands/stack/unlock.js";
import { testIo } from "../../support.js";

const lock = { username: "ann", hostname: "vm", pid: 7, timestamp: "2030-01-01T00:00:00Z" };
const found = (runs: boolean | undefined): FoundLock => ({ lock, runs });

/** Answers the question, and returns what was asked. */
async function asked(given: FoundLock | undefined, options: { yes?: boolean; force?: boolean } = {}) {
  const questions: { message: string; destructive: boolean }[] = [];
  const ask = (question: (typeof questions)[number]) => Promise.resolve(questions.push(question) > 0);
  const agreed = await isAgreed("dev", given, options, { ...testIo().io, ask });
  return { agreed, questions };
}

describe("the question before a lock is released", () => {
  it.each<[string, boolean | undefined, RegExp, boolean]>([
    ["runs on this machine", true, /Its process runs on this machine, and ends within some seconds/, true],
    ["has ended", false, /Its process has ended\.$/, false],
    ["may run on another machine", undefined, /--if-owner-gone finds out/, false],
  ])("names the owner, and says that its process %s", async (_what, runs, says, byName) => {
    const { questions } = await asked(found(runs));
    expect(questions).toMatchObject([{ destructive: byName }]);
    expect(questions[0]?.message).toMatch(
      /^Release the lock of stack dev \(created by ann@vm \(pid 7\) at 2030/,
    );
    expect(questions[0]?.message).toMatch(says);
  });

  it("is asked without a name where only Pulumi can read the lock", async () => {
    expect((await asked(undefined)).questions[0]?.message).toMatch(/^Release the lock of stack dev\? /);
  });

  it("is not answered by --yes for a run that goes on, but by --force", async () => {
    await expect(asked(found(true), { yes: true })).rejects.toThrow(
      /pid 7.* is still in progress.*wait until it ends, or add --force/s,
    );
    expect(await asked(found(true), { yes: true, force: true })).toEqual({ agreed: true, questions: [] });
    for (const runs of [false, undefined])
      expect(await asked(found(runs), { yes: true })).toEqual({ agreed: true, questions: [] });
  });
});
