/** Tests who handles a signal: our functions do, and libraries that only tidy up do not. */
import { expect, it } from "vitest";
import { handleSignals, isHandled } from "../../recovery/signals.js";

it("is handled until its handler ends, and not by a library that listens", () => {
  const library = () => undefined;
  process.on("SIGHUP", library);
  try {
    expect(isHandled("SIGHUP")).toBe(false);
    const seen: string[] = [];
    const end = handleSignals((signal) => seen.push(signal));
    expect(isHandled("SIGHUP")).toBe(true);
    process.emit("SIGHUP", "SIGHUP");
    expect(seen).toEqual(["SIGHUP"]);
    end();
    expect(isHandled("SIGHUP")).toBe(false);
  } finally {
    process.off("SIGHUP", library);
  }
});

it("is handled once where a second signal should end the process", () => {
  const end = handleSignals(() => undefined, { times: "once" });
  process.emit("SIGTERM", "SIGTERM");
  expect([isHandled("SIGTERM"), isHandled("SIGINT")]).toEqual([false, true]);
  end();
});
