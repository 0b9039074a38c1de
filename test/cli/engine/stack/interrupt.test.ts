/** Tests which signals during a Pulumi operation are forwarded to it, and what the user sees. */
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withInterrupts, type Interrupts } from "../../../../cli/engine/stack/interrupt.js";
import { processIo } from "../../../../cli/terminal/io.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const says = (message: string) => ({ sequence: 1, timestamp: 1, stdoutEvent: { message, color: "never" } });

/** Starts an operation that runs until it fails, and records its signals and messages. */
function operation() {
  let text = "";
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  let handedOn = 0;
  let given: Interrupts | undefined;
  let end: () => void = () => {};
  const outcome = withInterrupts({ ...processIo(), stderr }, (interrupts) => {
    given = interrupts;
    interrupts.signal.addEventListener("abort", () => (handedOn += 1));
    return new Promise((_resolve, reject) => (end = () => reject(new Error("Pulumi ended"))));
  });
  return {
    handedOn: () => handedOn,
    hears: (message: string) => given?.onEngineEvent(says(message)),
    told: () => text,
    /** Ends the operation and returns its error message. */
    ended: async () => {
      end();
      return outcome.then(
        () => "",
        (error: Error) => error.message,
      );
    },
  };
}

describe("a signal during an operation", () => {
  it("is not forwarded if Pulumi received it too, as Ctrl-C does, because a second one would leave pending objects", async () => {
    const { handedOn, hears, told, ended } = operation();
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

  it("is forwarded, first and second, if only this process received it", async () => {
    const { handedOn, hears, told, ended } = operation();
    process.emit("SIGINT", "SIGINT");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(1);
    process.emit("SIGINT", "SIGINT");
    expect(told()).toContain("Stopping at once: the next run looks for what was being created");
    await vi.advanceTimersByTimeAsync(3000);
    hears("^C received; terminating");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(2);
    process.emit("SIGINT", "SIGINT");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(2);
    await ended();
  });

  it("is forwarded again if Pulumi received only one of two in quick succession", async () => {
    const { handedOn, hears, ended } = operation();
    process.emit("SIGINT", "SIGINT");
    process.emit("SIGINT", "SIGINT");
    await vi.advanceTimersByTimeAsync(3000);
    expect(handedOn()).toBe(2);
    hears("^C received; cancelling. If you would like to terminate immediately, press ^C again.");
    await vi.advanceTimersByTimeAsync(2000);
    expect(handedOn()).toBe(3);
    hears("^C received; terminating");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(3);
    await ended();
  });

  it("is forwarded at once, as Ctrl-C, if it is a SIGTERM", async () => {
    const before = process.listenerCount("SIGTERM");
    const { handedOn, ended } = operation();
    process.emit("SIGTERM", "SIGTERM");
    expect(handedOn()).toBe(1);
    expect(await ended()).toBe(
      "interrupted; what was done is in the state. Run the command again to continue",
    );
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });

  it("does not affect the error of an operation if there was none", async () => {
    expect(await operation().ended()).toBe("Pulumi ended");
  });
});
