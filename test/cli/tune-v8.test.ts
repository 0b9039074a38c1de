/** How commands tune V8, held against the Node.js that runs the tests. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { chooseFlags } from "../../cli/tune-v8.js";

describe("tuning V8", () => {
  it("sets flags that this version of Node.js knows, or none", () => {
    const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    const names = chooseFlags(process.versions.v8).map((flag) => flag.split("=")[0] as string);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("sets none for versions of V8 that would print an error", () => {
    expect(["10.2.154.26", "12.4.254.21", "13.6.233.17", "14.6.202.34"].flatMap(chooseFlags)).toEqual([]);
  });

  it("leaves V8 able to take the flags while it runs, and to let the space for new objects grow again", () => {
    const flags = chooseFlags(process.versions.v8);
    const script = `
      const v8 = require("node:v8");
      const keep = [];
      const make = () => { for (let i = 0; i < 1e6; i++) keep[i % 1e5] = { i }; };
      const size = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
      for (const flag of ${JSON.stringify(flags)}) v8.setFlagsFromString(flag);
      make(); const fixed = size();
      v8.setFlagsFromString("--semi-space-growth-factor=2"); make();
      console.log(size() / fixed);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    if (flags.length > 0) expect(Number(stdout)).toBeGreaterThanOrEqual(2);
  });
});
