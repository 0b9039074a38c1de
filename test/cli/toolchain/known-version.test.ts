/** Tests cli/toolchain/known-version.ts. */
import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readKnownVersion } from "../../../cli/toolchain/known-version.js";
import { emptyMachine } from "./fakes.js";

describe("the version of a CLI of the user's own", () => {
  it("is asked for again only when its file has changed", async () => {
    const { folder, env } = emptyMachine();
    const cli = join(folder, "pulumi");
    writeFileSync(cli, "program");
    truncateSync(cli, 20_000_000);
    const answers = ["3.300.0", "3.301.0"];
    const version = () =>
      readKnownVersion(cli, env, () => Promise.resolve(answers.shift() ?? "asked too often"));
    expect([await version(), await version()]).toEqual(["3.300.0", "3.300.0"]);
    appendFileSync(cli, "another release");
    expect([await version(), await version()]).toEqual(["3.301.0", "3.301.0"]);
  });

  it("is asked for each time when its file is a launcher", async () => {
    const { folder, env } = emptyMachine();
    const cli = join(folder, "pulumi");
    writeFileSync(cli, "exec the version of this folder");
    const answers = ["3.300.0", "3.301.0"];
    const version = () =>
      readKnownVersion(cli, env, () => Promise.resolve(answers.shift() ?? "asked too often"));
    expect([await version(), await version()]).toEqual(["3.300.0", "3.301.0"]);
  });
});
