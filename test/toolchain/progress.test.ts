/** Tests toolchain/progress.ts. */
import { expect, it } from "vitest";
import { createProgressPrinter } from "../../toolchain/index.js";
import type { ToolchainEvent } from "../../toolchain/types.js";

/** Prints events that arrive at intervals of a second. */
function printed(events: ToolchainEvent[], stream: { isTTY?: boolean; columns?: number } = {}) {
  let text = "";
  let now = 0;
  const print = createProgressPrinter({ ...stream, write: (more: string) => (text += more) }, () => now);
  for (const event of events) {
    print(event);
    now += 1000;
  }
  return text;
}

const counts = Array.from({ length: 100 }, (_, done): ToolchainEvent => ({
  kind: "count",
  way: "build",
  text: "compiling",
  done,
  total: 100,
}));

it("is silent if Pulumi is already available", () => {
  const text = printed([
    { kind: "passed-over", way: "PATH", text: "no pulumi on PATH", absent: true },
    { kind: "ready", way: "cache", text: "3.259.0 at /x" },
  ]);
  expect(text).toBe("");
});

it("reports each failed source, and absent ones only if work follows", () => {
  const text = printed([
    { kind: "passed-over", way: "PULUMI_BIN", text: "/x does not exist", absent: false },
    { kind: "passed-over", way: "PATH", text: "no pulumi on PATH", absent: true },
    { kind: "step", way: "installer", text: "downloading" },
    { kind: "ready", way: "installer", text: "3.259.0 at /x" },
  ]);
  expect(text.split("\n")).toEqual([
    "  PULUMI_BIN: /x does not exist",
    "  PATH: no pulumi on PATH",
    "  downloading",
    "  Pulumi 3.259.0 at /x",
    "",
  ]);
});

it("limits the number of lines in a log", () => {
  const lines = printed(counts).trimEnd().split("\n");
  expect(lines).toEqual([
    "  compiling: 20 of up to 100 (20 s)",
    "  compiling: 40 of up to 100 (40 s)",
    "  compiling: 60 of up to 100 (60 s)",
    "  compiling: 80 of up to 100 (80 s)",
  ]);
});

it("updates a single line on a terminal, and never exceeds its width", () => {
  const text = printed([...counts, { kind: "ready", way: "build", text: "3.259.0 at /x" }], {
    isTTY: true,
    columns: 20,
  });
  expect(text.split("\n")).toHaveLength(2);
  expect(text.endsWith("\r\x1b[K  Pulumi 3.259.0 at /x\n")).toBe(true);
  const widths = text
    .split("\r\x1b[K")
    .slice(1, -1)
    .map(({ length }) => length);
  expect(Math.max(...widths)).toBeLessThan(20);
});
