/** Tests how programs are checked and built, and how versions are read. */
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildCli } from "../../scripts/toolchain/gobuild.js";
import { checkLanguageHost, readKnownVersion, readPulumiVersion } from "../../toolchain/programs.js";
import { emptyMachine, executable, recorder, temporaryFolder } from "./fakes.js";

const context = { env: { PATH: process.env["PATH"] }, checkouts: [] };
const script = (name: string, text: string) =>
  executable(join(temporaryFolder(), name), `#!/bin/sh\n${text}\n`);

describe.skipIf(process.platform === "win32")("checking programs", () => {
  it("reads the version of a CLI", async () => {
    expect(await readPulumiVersion(await script("pulumi", "echo v3.259.0"), context)).toBe("3.259.0");
    expect(await readPulumiVersion(await script("pulumi", "echo v3.300.1-dev.7+abc"), context)).toBe(
      "3.300.1",
    );
  });

  it("rejects a program that is not the CLI", async () => {
    for (const [text, said] of [
      ["echo usage: pulumi", "usage: pulumi"],
      ["echo v3.259.0; exit 1", "v3.259.0"],
      ["echo 'cannot open shared object' >&2; exit 127", "cannot open shared object"],
    ] as const) {
      const path = await script("pulumi", text);
      await expect(readPulumiVersion(path, context)).rejects.toThrow(
        `\`${path} version\` is not that of Pulumi: ${said}`,
      );
    }
  });

  it("names a launcher that finds no version, and what helps", async () => {
    const launcher = await script("mise", "echo 'no version is set' >&2; exit 1");
    const shim = join(temporaryFolder(), "pulumi");
    symlinkSync(launcher, shim);
    await expect(readPulumiVersion(shim, context)).rejects.toThrow(
      new RegExp(`${shim} version.*no version is set.*it starts .*mise.*PULUMI_BIN.*mise which pulumi`),
    );
  });

  it("accepts a language host that listens, and stops it", async () => {
    await checkLanguageHost(await script("host", "echo 40917; exec sleep 60"), context);
  });

  it("reports why a language host does not start", async () => {
    const path = await script("host", "echo 'no luck' >&2; exit 3");
    await expect(checkLanguageHost(path, context)).rejects.toThrow(`${path} does not start: no luck`);
  });
});

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

  it.each(["mise", "asdf"])(
    "is asked for each time when it is a link to a program of another name (%s)",
    async (name) => {
      const { folder, env } = emptyMachine();
      const [launcher, cli] = [join(folder, name), join(folder, "pulumi")];
      writeFileSync(launcher, "program");
      truncateSync(launcher, 20_000_000);
      symlinkSync(launcher, cli);
      const answers = ["3.300.0", "3.259.0"];
      const version = () =>
        readKnownVersion(cli, env, () => Promise.resolve(answers.shift() ?? "asked too often"));
      expect([await version(), await version()]).toEqual(["3.300.0", "3.259.0"]);
    },
  );

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

/** A fake Go that lists three packages, runs the given build and logs its calls. */
const fakeGo = (log: string, build: string) => `#!/bin/sh
echo "$1 GOFLAGS=$GOFLAGS GOWORK=$GOWORK CGO_ENABLED=$CGO_ENABLED GOPROXY=$GOPROXY $(basename "$PWD")" >>${log}
case $1 in
version) echo go version go1.26.8 linux/amd64 ;;
list)
  echo 'go: downloading example.com/a v1.0.0' >&2
  echo 'go: downloading example.com/b v1.0.0' >&2
  printf 'a\\nb\\nc\\n' ;;
build) ${build} ;;
esac
`;

describe.skipIf(process.platform === "win32")("the build with Go", () => {
  async function machineWithGo(build: string) {
    const { folder, env } = emptyMachine();
    mkdirSync(join(folder, "root/bin"), { recursive: true });
    const log = join(folder, "log");
    await executable(join(folder, "path/go"), fakeGo(log, build));
    const PATH = `${env["PATH"]}:/usr/bin:/bin`;
    return {
      root: join(folder, "root"),
      log,
      env: { ...env, PATH, GOPROXY: "https://proxy.example", GOFLAGS: "-race" },
    };
  }

  it("uses only the pinned modules and the user's module proxy", async () => {
    const { root, log, env } = await machineWithGo("true");
    await buildCli(root, { env, checkouts: [], onProgress: () => undefined });
    const rest = "GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0 GOPROXY=https://proxy.example pulumi-cli";
    expect(readFileSync(log, "utf8").split("\n").slice(1, 3)).toEqual([`list ${rest}`, `build ${rest}`]);
  });

  it("counts fetched modules and compiled packages", async () => {
    const { root, env } = await machineWithGo("printf 'example.com/a/v2\\nmain\\n' >&2");
    const { events, onProgress } = recorder();
    await buildCli(root, { env, checkouts: [], onProgress });
    expect(events.filter(({ kind }) => kind === "count")).toEqual([
      { kind: "count", way: "build", text: "fetching the Go modules of the Pulumi CLI 3.259.0", done: 1 },
      { kind: "count", way: "build", text: "fetching the Go modules of the Pulumi CLI 3.259.0", done: 2 },
      { kind: "count", way: "build", text: "compiling the Pulumi CLI 3.259.0", done: 1, total: 3 },
      { kind: "count", way: "build", text: "compiling the Pulumi CLI 3.259.0", done: 2, total: 3 },
    ]);
  });

  it("reports the error of the compiler", async () => {
    const { root, env } = await machineWithGo("printf 'a\\n# b\\nb.go:1:2: undefined: x\\n' >&2; exit 1");
    await expect(buildCli(root, { env, checkouts: [], onProgress: () => undefined })).rejects.toThrow(
      "`go build` of the Pulumi CLI 3.259.0 failed: # b; b.go:1:2: undefined: x",
    );
  });

  it("requires a recent Go", async () => {
    const { folder, env } = emptyMachine();
    const context = { env, checkouts: [], onProgress: () => undefined };
    await expect(buildCli(folder, context)).rejects.toThrow("there is no Go on PATH");
    await executable(join(folder, "path/go"), "#!/bin/sh\necho go version go1.19.4 linux/amd64\n");
    await expect(buildCli(folder, context)).rejects.toThrow(
      "is Go 1.19.4, too old; 1.25 or later is required",
    );
  });

  it("stops on a cancellation", async () => {
    const { root, env } = await machineWithGo("exec sleep 60");
    const stop = new AbortController();
    const onProgress = ({ text }: { text: string }) =>
      text.startsWith("building") && setTimeout(() => stop.abort(), 100);
    const building = buildCli(root, {
      env,
      checkouts: [],
      onProgress: (event) => void onProgress(event),
      signal: stop.signal,
    });
    await expect(building).rejects.toMatchObject({ code: "cancelled" });
  });
});
