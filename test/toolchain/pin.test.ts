/** The script that writes the digests of a Pulumi release into this package, from servers on this machine. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { findPackageRoot } from "../../toolchain/locations.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";
import { temporaryFolder } from "./fakes.js";
import { ARCHIVE, LIST, programs, serveRelease, sha256 } from "./release-server.js";

async function pin(server: string, github: string) {
  const file = join(temporaryFolder(), "digests.json");
  const script = join(findPackageRoot(), "scripts/pin-pulumi.mjs");
  const { exitCode, stderr } = await execa(process.execPath, [script, server, github, file], {
    reject: false,
  });
  return { exitCode, stderr, written: existsSync(file) ? readFileSync(file, "utf8") : undefined };
}

describe.skipIf(process.platform === "win32")("the digests in the package", () => {
  it("are those of the pinned version", () => {
    const text = readFileSync(join(findPackageRoot(), "toolchain/digests.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ version: PULUMI_VERSION });
  });

  it("are written if both publishers agree and the archive has them", async () => {
    const { address, bytes } = await serveRelease();
    const { written, stderr } = await pin(address, address);
    expect(stderr).toBe("");
    const files = Object.fromEntries(Object.entries(programs).map(([name, text]) => [name, sha256(text)]));
    expect(JSON.parse(written!)).toEqual({
      version: PULUMI_VERSION,
      archives: { [ARCHIVE]: { sha256: sha256(bytes), files } },
    });
  });

  it("are not written if the publishers disagree, or the archive is another one", async () => {
    const { address } = await serveRelease();
    const other = await serveRelease({ [LIST]: `${"a".repeat(64)}  ${ARCHIVE}\n` });
    const nothing = await serveRelease({ [LIST]: "" });
    const replaced = await serveRelease({ [ARCHIVE]: "something else" });
    for (const [server, github, message] of [
      [address, other.address, /publishes [0-9a-f]{64}, and .* a{64}/],
      [address, nothing.address, /publishes [0-9a-f]{64}, and .* undefined/],
      [replaced.address, replaced.address, /the file has [0-9a-f]{64}, and not the published/],
      [nothing.address, nothing.address, /nothing of Pulumi .* is published/],
    ] as const) {
      const { exitCode, stderr, written } = await pin(server, github);
      expect(stderr).toMatch(message);
      expect([exitCode, written]).toEqual([1, undefined]);
    }
  });
});
