/** How commands ask V8 to optimize later, held against the Node.js that runs the tests. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { chooseOptimizing } from "../../cli/optimize-later.js";

describe("optimizing later", () => {
  it("sets a flag that this version of Node.js knows, or none", () => {
    const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    const [flag] = chooseOptimizing(process.versions.v8)?.split("=") ?? [];
    expect(known).toContain(flag ?? "--invocation-count-for-turbofan");
  });

  it("sets none for versions of V8 that would print an error", () => {
    expect(["10.2.154.26", "12.4.254.21", "13.6.233.17", "14.6.202.34"].map(chooseOptimizing)).toEqual(
      Array(4).fill(undefined),
    );
  });

  it("leaves V8 able to take the flag while it runs", () => {
    const flag = chooseOptimizing(process.versions.v8) ?? "";
    const script = `require("node:v8").setFlagsFromString(${JSON.stringify(flag)}); for (let i = 0, a = []; i < 1e6; i++) a[i % 10] = i;`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});
