/** What a checkout contains is never run: caches, PATH entries, and files that the environment names. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openBrowser } from "../../cli/oauth/loopback.js";
import {
  buildDataEnvironment,
  buildHelperEnvironment,
  ensurePulumi,
  inspect,
} from "../../toolchain/index.js";
import { findCheckouts } from "../../trust/checkout.js";
import { filterPath, findCheckoutWith } from "../../trust/programs.js";
import { testIo } from "../cli/support.js";
import { executable, fakeMachinery } from "../toolchain/fakes.js";

let folder: string;
let repository: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "programs-")));
  repository = join(folder, "builds/shop");
  mkdirSync(join(repository, ".git"), { recursive: true });
  vi.stubEnv("HOME", join(folder, "home"));
  mkdirSync(join(folder, "home"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("the checkouts of a folder", () => {
  it("are its repository, from any folder in it", () => {
    mkdirSync(join(repository, "teams/a"), { recursive: true });
    expect(findCheckouts(join(repository, "teams/a"), repository)).toEqual([repository]);
  });

  it("include what is around a submodule, because a change may add one", () => {
    mkdirSync(join(repository, "infra/.git"), { recursive: true });
    expect(findCheckouts(join(repository, "infra"))).toEqual([repository]);
  });

  it("are the folder itself without version control", () => {
    mkdirSync(join(folder, "plain"));
    expect(findCheckouts(join(folder, "plain"))).toEqual([join(folder, "plain")]);
  });

  it("do not include the user's home, or a folder around it, where caches and settings lie", () => {
    expect(findCheckouts(join(folder, "home"), folder, "/")).toEqual([]);
    mkdirSync(join(folder, "home/.git"));
    mkdirSync(join(folder, "home/infra/.git"), { recursive: true });
    expect(findCheckouts(join(folder, "home/infra"))).toEqual([join(folder, "home/infra")]);
  });

  it.each(["", "team", "team/home"])("include the clone in which a job has its home, as %j", (home) => {
    mkdirSync(join(repository, "team/home"), { recursive: true });
    mkdirSync(join(repository, "teams/a"), { recursive: true });
    vi.stubEnv("HOME", join(repository, home));
    for (const at of ["", "team", "teams/a"])
      expect(findCheckouts(join(repository, at)), at).toEqual([repository]);
  });

  it("include a home that a job has put into its checkout", () => {
    vi.stubEnv("HOME", repository);
    expect(findCheckouts(repository)).toEqual([repository]);
  });
});

describe("a path", () => {
  it.each([
    ["builds/shop", true],
    ["builds/shop/.cache", true],
    ["builds/shop/..cache", true],
    ["builds/shop/link-out", true],
    ["builds/shop/link-out/deeper", true],
    ["link-in/deeper", true],
    ["builds/shop2", false],
    ["builds/shop/../other", false],
    ["home/.cache", false],
  ])("%s leads into the checkout: %s", (path, expected) => {
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(repository, "link-out"));
    symlinkSync(repository, join(folder, "link-in"));
    expect(findCheckoutWith(join(folder, path), [repository])).toBe(expected ? repository : undefined);
  });
});

describe("PATH", () => {
  it("has no entry of a checkout", () => {
    mkdirSync(join(repository, "tools"));
    symlinkSync(join(repository, "tools"), join(folder, "tools"));
    const hostile = [
      ...["", ".", "bin", "node_modules/.bin"],
      ...[join(repository, "tools"), join(folder, "tools"), join(folder, "node_modules/.bin")],
    ];
    // Neither of both names alone is that of the programs of packages.
    const rest = [
      "/usr/bin",
      ...["home/bin", "home/.bin", "node_modules/npm"].map((path) => join(folder, path)),
    ];
    const PATH = [...hostile, ...rest].join(delimiter);
    expect(filterPath({ PATH }, [repository]).split(delimiter)).toEqual(rest);
    const made = buildDataEnvironment({ binDir: "/tool/bin" }, { PATH }, [repository]);
    expect(made["PATH"]?.split(delimiter)).toEqual(["/tool/bin", ...rest]);
  });
});

describe("a credential helper", () => {
  const inRepository = () => ({ PULUMI_CREDENTIAL_HELPER: join(repository, "helper") });

  it("is not asked for a state that needs no login, whatever names it", () => {
    const none = { PULUMI_CREDENTIAL_HELPER: "none" };
    expect(buildHelperEnvironment(false, {}, [repository])).toEqual(none);
    expect(buildHelperEnvironment(false, inRepository(), [repository])).toEqual(none);
  });

  it("is the caller's for Pulumi's service, unless it is in the checkout", () => {
    for (const helper of ["none", "pulumi-credential-helper", join(folder, "home/helper")])
      expect(buildHelperEnvironment(true, { PULUMI_CREDENTIAL_HELPER: helper }, [repository])).toEqual({});
    expect(() => buildHelperEnvironment(true, inRepository(), [repository])).toThrow(
      /PULUMI_CREDENTIAL_HELPER .*in the checkout/,
    );
  });
});

describe("Pulumi", () => {
  const outside = () => ({
    PATH: "/usr/bin",
    WORKSPACECTL_CACHE: join(folder, "home/.cache"),
    WORKSPACECTL_DIGESTS: join(folder, "home/.config/digests.json"),
  });
  const ensure = (env: NodeJS.ProcessEnv) => {
    const { machinery, calls } = fakeMachinery();
    const checkouts = findCheckouts(repository);
    const ended = ensurePulumi({ env: { ...outside(), ...env }, checkouts, machinery }).then(
      ({ source }) => source,
      (error: Error) => error,
    );
    return { ended, calls, checkouts };
  };

  it("is installed when nothing leads into the checkout", async () => {
    expect(await ensure({}).ended).toBe("installer");
  });

  it.each([
    ["WORKSPACECTL_CACHE", ".cache", /The cache of programs .*GitLab CI.*CI_PROJECT_DIR/s],
    ["WORKSPACECTL_DIGESTS", ".config/digests.json", /The list of digests .*WORKSPACECTL_DIGESTS/s],
    ["PULUMI_BIN", "tools/pulumi", /PULUMI_BIN .*Install Pulumi outside of it/s],
  ])("is neither run nor installed if %s leads into it", async (name, path, message) => {
    const value = join(repository, path);
    const { ended, calls, checkouts } = ensure({ [name]: value });
    expect(await ended).toMatchObject({
      name: "TrustError",
      code: "program",
      message: expect.stringMatching(message) as string,
    });
    expect(calls).toEqual([]);
    const findings = await inspect({ ...outside(), [name]: value }, checkouts);
    expect(findings.find((one) => one.name === "checkout")).toMatchObject({
      status: "missing",
      remedy: expect.stringMatching(message) as string,
    });
  });

  it("is not taken from a home in any repository, wherever the command runs", async () => {
    const job = join(folder, "job");
    mkdirSync(join(job, ".git"), { recursive: true });
    const homes = [
      { ...outside(), WORKSPACECTL_CACHE: join(job, "home/.cache") },
      { ...outside(), WORKSPACECTL_DIGESTS: join(job, "home/.config/digests.json") },
      { ...outside(), AWS_CONFIG_FILE: join(job, "home/.aws/config") },
    ];
    mkdirSync(join(job, "home/.aws/config"), { recursive: true });
    for (const env of homes)
      await expect(
        ensurePulumi({ env, checkouts: [], machinery: fakeMachinery().machinery }),
      ).rejects.toThrow(`is in the checkout ${job}`);
  });

  it("is not taken from XDG_CACHE_HOME in the checkout, as with `XDG_CACHE_HOME: $CI_PROJECT_DIR/.cache`", async () => {
    vi.stubEnv("XDG_CACHE_HOME", join(repository, ".cache"));
    const error = await ensure({ WORKSPACECTL_CACHE: undefined }).ended;
    expect(error).toMatchObject({ code: "program" });
    expect((error as Error).message).toContain(join(repository, ".cache/workspacectl"));
  });
});

describe.skipIf(process.platform !== "linux")("the browser of a login", () => {
  it("is not one of the checkout", async () => {
    const bin = join(repository, "node_modules/.bin");
    const ran = join(folder, "ran");
    for (const name of [
      "xdg-mime",
      "x-www-browser",
      "www-browser",
      "sensible-browser",
      "firefox",
      "dbus-send",
      "sed",
      "gio",
    ])
      await executable(join(bin, name), `#!/bin/sh\ntouch ${ran}\n`);
    const path = `${bin}:/usr/bin:/bin`;
    vi.stubEnv("PATH", path);
    for (const name of ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]) vi.stubEnv(name, undefined);
    const { io } = testIo({});
    const child = await openBrowser("http://127.0.0.1:9/", io);
    await new Promise((resolve) => child?.on("exit", resolve) ?? resolve(undefined));
    expect(existsSync(ran)).toBe(false);
    expect(process.env["PATH"]).toBe(path);
  });
});
