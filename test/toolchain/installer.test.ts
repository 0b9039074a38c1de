/** The download of Pulumi's release, its check and its extraction, from a server on this machine. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readEntry } from "../../toolchain/cache.js";
import { pins } from "../../toolchain/digests.js";
import { ensurePulumi, inspect } from "../../toolchain/index.js";
import { install } from "../../toolchain/installer.js";
import { executables, listCacheFolders } from "../../toolchain/locations.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";
import { emptyMachine, executable, recorder, temporaryFolder } from "./fakes.js";
import { ARCHIVE, archive, LIST, programs, serveRelease, sha256 } from "./release-server.js";

/** Gives the package other digests. */
const pin = (version: string, archives: ReturnType<typeof pins.read>["archives"]) =>
  vi.spyOn(pins, "read").mockReturnValue({ version, archives });
beforeEach(() => void pin(PULUMI_VERSION, {}));
afterEach(() => vi.restoreAllMocks());

async function installFrom(address: string, env: NodeJS.ProcessEnv = {}, signal?: AbortSignal) {
  const root = join(temporaryFolder(), "root");
  mkdirSync(join(root, "bin"), { recursive: true });
  const { events, onProgress } = recorder();
  const all = { PATH: process.env["PATH"], WORKSPACECTL_PULUMI_RELEASES: address, ...env };
  const ended = install(root, { env: all, checkouts: [], onProgress, signal }).then(
    (checkedAgainst) => ({ checkedAgainst, message: "", code: "" }),
    (error: Error & { code: string }) => ({ checkedAgainst: "", message: error.message, code: error.code }),
  );
  return {
    root,
    ...(await ended),
    steps: events.filter(({ kind }) => kind === "step").map(({ text }) => text),
  };
}

describe.skipIf(process.platform === "win32")("the release", () => {
  it("is checked against the list that is published next to it, and extracted", async () => {
    const { address } = await serveRelease();
    const { root, checkedAgainst, steps } = await installFrom(address);
    expect(checkedAgainst).toBe(`${address}/${LIST}`);
    expect(steps).toEqual([
      `downloading ${address}/${ARCHIVE}`,
      `checked against ${address}/${LIST}; extracting it`,
    ]);
    expect(readdirSync(root)).toEqual(["bin"]);
    expect(readdirSync(join(root, "bin")).sort()).toEqual(Object.keys(programs).sort());
    for (const [name, text] of Object.entries(programs))
      expect(readFileSync(join(root, "bin", name), "utf8")).toBe(text);
    expect(statSync(join(root, "bin", executables.cli)).mode & 0o111).not.toBe(0);
  });

  it("is checked against the digest in the package where there is one, and no list is read", async () => {
    const { address, requests, bytes } = await serveRelease();
    pin(PULUMI_VERSION, { [ARCHIVE]: { sha256: sha256(bytes), files: {} } });
    const { checkedAgainst } = await installFrom(address);
    expect(checkedAgainst).toBe("the digest in this package");
    expect(requests).toEqual([ARCHIVE]);
  });

  it("is refused if a server has replaced both archive and list, but the package has a digest", async () => {
    const { address } = await serveRelease();
    pin(PULUMI_VERSION, { [ARCHIVE]: { sha256: "a".repeat(64), files: {} } });
    const { message, root } = await installFrom(address);
    expect(message).toContain(`${ARCHIVE} is not the file that the digest in this package describes`);
    expect(readdirSync(join(root, "bin"))).toEqual([]);
  });

  it("is not compared with digests of another version", async () => {
    const { address } = await serveRelease();
    pin("3.1.0", { [ARCHIVE]: { sha256: "a".repeat(64), files: {} } });
    expect((await installFrom(address)).checkedAgainst).toBe(`${address}/${LIST}`);
  });

  it.each<[string, Parameters<typeof serveRelease>[0], RegExp]>([
    [
      "its digest is wrong",
      { [ARCHIVE]: "something else" },
      /is not the file that .*checksums\.txt describes.*not used/,
    ],
    [
      "it is not there",
      { [ARCHIVE]: undefined },
      /linux.*tar\.gz responds with HTTP 404|tar\.gz responds with HTTP 404/,
    ],
    ["the list is not there", { [LIST]: undefined }, /checksums\.txt responds with HTTP 404/],
    [
      "the list does not contain it",
      { [LIST]: `${"0".repeat(64)}  other.tar.gz\n` },
      /contains no SHA-256 of pulumi-v/,
    ],
    ["the list has no digest", { [LIST]: `latest  ${ARCHIVE}\n` }, /contains no SHA-256 of pulumi-v/],
    [
      "the list is a page of a proxy",
      { [LIST]: "<html>Please log in</html>" },
      /contains no SHA-256 of pulumi-v/,
    ],
    [
      "the connection is cut",
      {
        [ARCHIVE]: (_, response) => {
          response.writeHead(200, { "content-length": "1000000" });
          response.write("half");
          setTimeout(() => response.destroy(), 50);
        },
      },
      /cannot be used \(other side closed|cannot be used \(terminated|cannot be used \(aborted/,
    ],
    [
      "it redirects to another host",
      {
        [ARCHIVE]: (_, response) => void response.writeHead(302, { location: "http://127.0.0.2:9/x" }).end(),
      },
      /redirects to http:\/\/127\.0\.0\.2:9, which is another host/,
    ],
    [
      "it redirects to another port",
      { [LIST]: (_, response) => void response.writeHead(301, { location: "http://127.0.0.1:9/x" }).end() },
      /redirects to http:\/\/127\.0\.0\.1:9, which is another host/,
    ],
    [
      "it redirects to itself",
      { [ARCHIVE]: ({ url }, response) => void response.writeHead(302, { location: url }).end() },
      /redirects too often/,
    ],
    [
      "it redirects to no address",
      { [ARCHIVE]: (_, response) => void response.writeHead(302, { location: "http://" }).end() },
      /redirects to no address/,
    ],
  ])("is refused if %s", async (_, changed, expected) => {
    const { address } = await serveRelease(changed);
    const { message, code, root } = await installFrom(address);
    expect(message).toMatch(expected);
    expect(code).toBe("program-failed");
    expect(readdirSync(join(root, "bin"))).toEqual([]);
    expect(existsSync(join(root, "unpacked"))).toBe(false);
  });

  it("follows a redirect on the same host", async () => {
    const bytes = await archive();
    const { address } = await serveRelease({
      [ARCHIVE]: (_, response) => void response.writeHead(302, { location: "/elsewhere/moved" }).end(),
      moved: bytes,
      [LIST]: `${sha256(bytes)} *${ARCHIVE}\n`,
    });
    expect((await installFrom(address)).message).toBe("");
  });

  it("sends a mirror its password, which no message contains", async () => {
    const seen: unknown[] = [];
    const { port } = await serveRelease({
      [LIST]: ({ headers }, response) => {
        seen.push(headers.authorization);
        response.writeHead(403).end("secret-password");
      },
    });
    const { message, steps } = await installFrom(`http://ann:secret-password@127.0.0.1:${port}/sdk/`);
    expect(seen).toEqual([`Basic ${Buffer.from("ann:secret-password").toString("base64")}`]);
    expect(message).toBe(
      `http://127.0.0.1:${port}/sdk/${LIST} responds with HTTP 403: run "workspacectl doctor" to check the installation`,
    );
    expect(steps.join()).not.toContain("secret-password");
  });

  it("is not downloaded in the clear, or from an address that is none", async () => {
    for (const address of ["http://mirror.example/sdk", "ftp://mirror.example", "file:///etc", "mirror"])
      expect((await installFrom(address)).message).toBe(
        'the address of the releases does not begin with https://: run "workspacectl doctor" to check the installation',
      );
  });

  it("is not extracted by a tar of the checkout", async () => {
    const { address } = await serveRelease();
    const checkout = temporaryFolder();
    await executable(join(checkout, "tools/tar"), "#!/bin/sh\ntouch /tmp/should-not-run\n");
    const root = join(temporaryFolder(), "root");
    mkdirSync(join(root, "bin"), { recursive: true });
    const env = { PATH: join(checkout, "tools"), WORKSPACECTL_PULUMI_RELEASES: address };
    const context = { env, checkouts: [checkout], onProgress: () => undefined };
    await expect(install(root, context)).rejects.toThrow("there is no tar on PATH");
  });

  it("can be cancelled", async () => {
    const { address } = await serveRelease({
      [ARCHIVE]: (_, response) => void response.writeHead(200).write("x"),
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    expect((await installFrom(address, {}, stop.signal)).code).toBe("cancelled");
  });
});

describe.skipIf(process.platform === "win32")("a cache with the release", () => {
  /** A machine on which the release was installed from a server. */
  async function machine() {
    const { address } = await serveRelease();
    const { env } = emptyMachine();
    return { env: { ...env, PATH: process.env["PATH"], WORKSPACECTL_PULUMI_RELEASES: address }, address };
  }
  const withoutPulumi = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, PATH: "/usr/bin:/bin" });

  it("is known by the digests that were recorded, and doctor says what they were checked against", async () => {
    const made = await machine();
    const env = withoutPulumi(made.env);
    expect(await ensurePulumi({ env, checkouts: [] })).toMatchObject({ source: "installer" });
    expect(await ensurePulumi({ env, checkouts: [] })).toMatchObject({ source: "cache" });
    const findings = await inspect(env, []);
    const digest = findings.find(({ name }) => name === "digest");
    expect(digest?.found).toContain(`after its archive was checked against ${made.address}/${LIST}`);
    expect(digest?.found).toContain(env["WORKSPACECTL_DIGESTS"]);
  });

  it("is known by the digests in the package, wherever it comes from", async () => {
    const { env } = emptyMachine();
    const { cli } = listCacheFolders(env);
    for (const [name, text] of Object.entries(programs)) await executable(join(cli, "bin", name), text);
    const needed = Object.values(executables);
    expect(await readEntry(cli, needed, env)).toBeUndefined();
    const files = Object.fromEntries(Object.entries(programs).map(([name, text]) => [name, sha256(text)]));
    pin(PULUMI_VERSION, { [ARCHIVE]: { sha256: "", files } });
    expect(await readEntry(cli, needed, env)).toMatchObject({
      version: PULUMI_VERSION,
      checkedAgainst: "the digest in this package",
    });
    await executable(join(cli, "bin", executables.cli), "#!/bin/sh\necho v3.259.0 # evil\n");
    expect(await readEntry(cli, needed, env)).toBeUndefined();
  });
});
