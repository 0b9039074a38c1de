/** Signals during an operation of Pulumi's: which of them are handed on to it, and what is said. */
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withInterrupts, type Interrupts } from "../../../../cli/engine/stack/interrupt.js";
import { processIo } from "../../../../cli/terminal/io.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const says = (message: string) => ({ sequence: 1, timestamp: 1, stdoutEvent: { message, color: "never" } });

/** An operation that goes on until it is made to fail: how often it was signalled, and what the user was told. */
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
    hears: (message: string) => given?.heard(says(message)),
    told: () => text,
    /** What the user is told in the end. */
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
  it("is not handed on when Pulumi got it too, as with Ctrl-C on a terminal: twice would leave objects pending", async () => {
    const { handedOn, hears, told, ended } = operation();
    process.emit("SIGINT", "SIGINT");
    expect(told()).toContain("what is under way is finished and saved. Press Ctrl-C again to stop at once");
    hears("^C received; cancelling. If you would like to terminate immediately, press ^C again.");
    await vi.advanceTimersByTimeAsync(60_000);
    process.emit("SIGINT", "SIGINT");
    hears("^C received; terminating");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(0);
    expect(await ended()).toMatch(
      /^stopped at once; .* Run the command again: it looks for that, and goes on/,
    );
  });

  it("is handed on when it was for this process alone, the first one and the second", async () => {
    const { handedOn, hears, told, ended } = operation();
    process.emit("SIGINT", "SIGINT");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(1);
    process.emit("SIGINT", "SIGINT");
    expect(told()).toContain("Stopping at once: the next run looks for what was being made");
    await vi.advanceTimersByTimeAsync(3000);
    hears("^C received; terminating");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(2);
    process.emit("SIGINT", "SIGINT");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handedOn()).toBe(2);
    await ended();
  });

  it("is handed on again when Pulumi got one of two, as a process does that had no time in between", async () => {
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

  it("is handed on at once as a Ctrl-C when it would end Pulumi", async () => {
    const before = process.listenerCount("SIGTERM");
    const { handedOn, ended } = operation();
    process.emit("SIGTERM", "SIGTERM");
    expect(handedOn()).toBe(1);
    expect(await ended()).toBe("interrupted; what was done is in the state. Run the command again to go on");
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });

  it("that never came changes nothing about a failure", async () => {
    expect(await operation().ended()).toBe("Pulumi ended");
  });
});
