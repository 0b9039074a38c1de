/** Tests that what takes long is not silent. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withSigns } from "../../automation/signs-of-life.js";
import { testIo } from "../cli/support.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("prints a line every ten seconds, and none once it has ended", async () => {
  const { io, written } = testIo();
  const pause = new Promise<string>((resolve) => setTimeout(() => resolve("done"), 25_000));
  const work = withSigns(io, "Waiting for the run that has the lock", () => pause);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await work).toBe("done");
  expect(written().stderr).toMatch(/^Waiting .* lock: 10 s so far\.\nWaiting .* lock: 20 s so far\.\n$/);
});

it("prints none for what fails at once", async () => {
  const { io, written } = testIo();
  await expect(withSigns(io, "Reading", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written().stderr).toBe("");
});
