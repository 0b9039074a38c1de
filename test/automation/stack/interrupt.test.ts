/** Tests which signals during a Pulumi operation are forwarded to it, and what the user sees. */
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineKilledError, type Interrupts, withInterrupts } from "../../../automation/stack/interrupt.js";
import { processIo } from "../../../cli/terminal/io.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const says = (message: string) => ({ sequence: 1, timestamp: 1, stdoutEvent: { message, color: "never" } });

/** Starts an operation that runs until it fails, and records its signals and messages. */
function operation(platform: NodeJS.Platform = "linux", dry = false) {
  let text = "";
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const io = { ...processIo(), stderr };
  let handedOn = 0;
  let given: Interrupts | undefined;
  let end: (error: Error) => void = () => {};
  vi.spyOn(process, "platform", "get").mockReturnValue(platform);
  const outcome = withInterrupts(
    io,
    (interrupts) => {
      given = interrupts;
      interrupts.signal.addEventListener("abort", () => (handedOn += 1));
      return new Promise((_resolve, reject) => (end = reject));
    },
    dry,
  );
  return {
    handedOn: () => handedOn,
    hears: (message: string) => given?.onEngineEvent(says(message)),
    told: () => text,
    /** Ends the operation and returns its error message. */
    ended: async (error = new Error("Pulumi ended")) => {
      end(error);
      return outcome.then(
        () => "",
        (error: Error) => error.message,
      );
    },
  };
}

describe("a signal during an operation", () => {
  it("is not forwarded on Windows if Pulumi received it too, because a second one would leave pending objects", async () => {
    const { handedOn, hears, told, ended } = operation("win32");
    process.emit("SIGINT", "SIGINT");
    expect(told()).toContain("running operations finish and are saved. Press Ctrl-C again to stop at once");
    hears("^C received; cancelling. If you would like to terminate immediately, press ^C again.");
    await vi.advanceTimersByTimeAsync(60_000);
    process.emit("SIGINT", "SIGINT");
    hears("^C received; terminating");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(0);
    expect(await ended()).toMatch(/^stopped at once; .* Run the command again: it finds that, and continues/);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "is forwarded at once, first and second: %s",
    async (signal) => {
      const { handedOn, hears, told, ended } = operation();
      process.emit(signal, signal);
      expect(handedOn()).toBe(1);
      hears("^C received; cancelling. If you would like to terminate immediately, press ^C again.");
      process.emit(signal, signal);
      expect(told()).toContain("Stopping at once: the next run looks for what was being created");
      expect(handedOn()).toBe(2);
      hears("^C received; terminating");
      await vi.advanceTimersByTimeAsync(60_000);
      process.emit(signal, signal);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(handedOn()).toBe(2);
      await ended();
    },
  );

  it("is forwarded again if Pulumi received only one of two in quick succession", async () => {
    const { handedOn, hears, ended } = operation();
    process.emit("SIGINT", "SIGINT");
    process.emit("SIGINT", "SIGINT");
    expect(handedOn()).toBe(2);
    hears("^C received; cancelling. If you would like to terminate immediately, press ^C again.");
    await vi.advanceTimersByTimeAsync(2000);
    expect(handedOn()).toBe(3);
    hears("^C received; terminating");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(3);
    await ended();
  });

  it("lets what was done be in the state, unless Pulumi itself was killed", async () => {
    const before = process.listenerCount("SIGTERM");
    const orderly = operation();
    process.emit("SIGTERM", "SIGTERM");
    expect(await orderly.ended()).toBe(
      "interrupted; what was done is in the state. Run the command again to continue",
    );
    expect(process.listenerCount("SIGTERM")).toBe(before);
    const killed = operation();
    process.emit("SIGTERM", "SIGTERM");
    expect(await killed.ended(new EngineKilledError("killed"))).toMatch(
      /^stopped at once; what was being created may not be in the state yet/,
    );
  });

  it("says of a preview that nothing was changed, and of nothing that it is saved", async () => {
    const { told, ended } = operation("linux", true);
    process.emit("SIGINT", "SIGINT");
    expect(await ended()).toBe("interrupted; nothing was changed. Run the command again");
    expect(told()).toBe("");
  });

  it("does not affect the error of an operation if there was none", async () => {
    expect(await operation().ended()).toBe("Pulumi ended");
  });
});
