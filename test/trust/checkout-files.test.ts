/** Tests trust/checkout-files.ts. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  listFolder,
  openFolder,
  OversizedFile,
  ReadableFolders,
  readBytes,
  readText,
  readTextIfPresent,
} from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import { writeIn } from "./folder-of-files.js";

const SECRET = "planted-secret";
let folder: string;
let checkout: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
  checkout = join(folder, "checkout");
  put("checkout/.git/config", SECRET);
  put("checkout/a/file.txt", "text");
  put("outside/secret.txt", SECRET);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const { at, put, link } = writeIn(() => folder);
const onLinux = process.platform === "linux";

describe("a file of a checkout", () => {
  it("is read", () => expect(readText(at("checkout/a/file.txt"))).toBe("text"));

  it("is read through a link that stays in the checkout", () => {
    link("checkout/b/link.txt", "../a/file.txt");
    link("checkout/c", "a");
    expect(readText(at("checkout/b/link.txt"))).toBe("text");
    expect(readText(at("checkout/c/file.txt"))).toBe("text");
  });

  it.each([
    ["an absolute link", () => link("checkout/x", at("outside/secret.txt")), "checkout/x"],
    ["a relative link", () => link("checkout/x", "../outside/secret.txt"), "checkout/x"],
    ["a link to a folder", () => link("checkout/x", "../outside"), "checkout/x/secret.txt"],
    [
      "a chain of links, the first of which stays inside",
      () => {
        link("checkout/x", "a/y");
        link("checkout/a/y", "z");
        link("checkout/a/z", at("outside"));
      },
      "checkout/x/secret.txt",
    ],
    [
      "a link from outside that leads back out of the checkout",
      () => {
        link("tools/x", at("checkout/x"));
        link("checkout/x", at("outside/secret.txt"));
      },
      "tools/x",
    ],
    [
      "a link to another checkout",
      () => {
        put("other/.git/HEAD", "");
        put("other/secret.txt", SECRET);
        link("checkout/x", at("other/secret.txt"));
      },
      "checkout/x",
    ],
    [
      "a link to the environment of the process",
      () => link("checkout/x", "/proc/self/environ"),
      "checkout/x",
    ],
    ["a link to a device", () => link("checkout/x", "/dev/zero"), "checkout/x"],
  ])("is refused through %s, however it is named", (_title, plant, path) => {
    plant();
    for (const named of [true, false]) expect(() => readText(at(path), { named })).toThrow(TrustError);
  });

  it.each([
    ["a file", "checkout/x", ".git/config"],
    ["a folder", "checkout/x/config", ".git"],
    ["a hidden file", "checkout/x", ".npmrc"],
  ])("is refused through a link to what is hidden: %s", (_title, path, target) => {
    put("checkout/.npmrc", SECRET);
    link("checkout/x", target);
    expect(() => readText(at(path), { named: true })).toThrow(/hidden f/);
  });

  it("is read in a hidden folder that the path itself names", () => {
    put("checkout/.ci/a.yaml", "text");
    link("checkout/.ci/b.yaml", "a.yaml");
    expect(readText(at("checkout/.ci/a.yaml"))).toBe("text");
    expect(readText(at("checkout/.ci/b.yaml"))).toBe("text");
  });

  it("is read from a mounted volume, whose files are links to ..data", () => {
    put("volume/..2026/a.yaml", "text");
    link("volume/..data", "..2026");
    link("volume/a.yaml", "..data/a.yaml");
    expect(readText(at("volume/a.yaml"))).toBe("text");
  });

  it("may lie outside if the caller allows the folder or the file", () => {
    link("checkout/x", at("outside/secret.txt"));
    for (const allowed of ["outside", "outside/secret.txt"])
      expect(readText(at("checkout/x"), { allowed: [at(allowed)] })).toBe(SECRET);
    expect(() => readText(at("checkout/x"), { allowed: [at("checkout")] })).toThrow(/--allow-path/);
  });

  it.runIf(onLinux)("is refused when it is a pipe, without waiting for a writer", () => {
    execFileSync("mkfifo", [at("checkout/pipe"), at("outside/pipe")]);
    link("checkout/x", "pipe");
    link("checkout/y", at("outside/pipe"));
    for (const path of ["checkout/pipe", "checkout/x", "checkout/y"])
      expect(() => readText(at(path), { named: true })).toThrow(TrustError);
  });

  it("is refused when it is a folder, or larger than it may be", () => {
    expect(() => readText(at("checkout/a"))).toThrow(/is a folder/);
    expect(() => readBytes(at("checkout/a/file.txt"), { most: 3 })).toThrow(OversizedFile);
  });

  it("fails as the system says when it does not exist", () => {
    expect(() => readText(at("checkout/none"))).toThrow(/ENOENT/);
    expect(readTextIfPresent(at("checkout/none"))).toBeUndefined();
  });

  it("is refused through links that never end", () => {
    link("checkout/x", "y");
    link("checkout/y", "x");
    expect(() => readText(at("checkout/x"))).toThrow(/more than 40 symbolic links/);
  });

  // A thread swaps the file with a link all the time, while it is read.
  it("never gives the content of a file outside, however fast it is swapped", async () => {
    const swapping = `
      const { workerData } = require("node:worker_threads");
      const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
      const { file, target, time } = workerData;
      const end = Date.now() + time;
      for (let n = 0; Date.now() < end; n += 1) {
        if (n % 2) symlinkSync(target, file + ".next");
        else writeFileSync(file + ".next", "text");
        renameSync(file + ".next", file);
      }`;
    const file = at("checkout/a/file.txt");
    const workerData = { file, target: at("outside/secret.txt"), time: 1500 };
    const worker = new Worker(swapping, { eval: true, workerData });
    let isOver = false;
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        isOver = true;
        resolve();
      });
    });
    const results = new Set<string>();
    const folders = new ReadableFolders([checkout]);
    while (!isOver) {
      for (const read of [() => readText(file), () => folders.read(file, "file.txt").toString()])
        try {
          results.add(read());
        } catch (error) {
          results.add((error as Error).name);
        }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(results).toContain("text");
    expect(results).toContain("TrustError");
    expect(results).not.toContain(SECRET);
  });
});

describe("a folder without version control", () => {
  it("is a checkout if it is the working directory", () => {
    put("work/a", "text");
    link("work/x", at("outside/secret.txt"));
    vi.spyOn(process, "cwd").mockReturnValue(at("work"));
    expect(() => readText(at("work/x"), { named: true })).toThrow(TrustError);
  });

  it("is one for the files that are found in it", () => {
    link("work/x", at("outside/secret.txt"));
    expect(() => readText(at("work/x"))).toThrow(TrustError);
  });
});

describe("a file that the caller names outside every checkout", () => {
  it("may be a link to anywhere", () => {
    link("links/x", at("outside/secret.txt"));
    expect(readText(at("links/x"), { named: true })).toBe(SECRET);
  });

  it.runIf(onLinux)("may be a pipe", () => {
    const program = `import { readText } from ${JSON.stringify(join(import.meta.dirname, "../../trust/checkout-files.ts"))};
      console.log(readText(process.argv.at(-1), { named: true }));`;
    put("read.ts", program);
    const tsx = join(import.meta.dirname, "../../node_modules/.bin/tsx");
    const command = `${tsx} ${at("read.ts")} <(echo piped)`;
    expect(execFileSync("bash", ["-c", command], { encoding: "utf8" })).toBe("piped\n\n");
  });
});

describe("a folder in which files are looked for", () => {
  it("is listed in alphabetical order", () => {
    put("checkout/a/b.txt", "");
    expect(listFolder(at("checkout/a"))).toEqual(["b.txt", "file.txt"]);
  });

  it("is refused through a link that leads out", () => {
    link("checkout/x", at("outside"));
    expect(() => listFolder(at("checkout/x"))).toThrow(TrustError);
    expect(() => openFolder(at("checkout/x"), { named: true })).toThrow(TrustError);
  });
});

describe("a file that the content of another names", () => {
  const read = (path: string, allowed: readonly string[] = []) =>
    new ReadableFolders([at("checkout/a")], allowed.map(at)).read(at(`checkout/a/${path}`), path).toString();

  it("is read in the folders", () => expect(read("file.txt")).toBe("text"));

  it.each([
    ["a path that leads out", () => put("checkout/b.txt", SECRET), "../b.txt"],
    ["a link that leads out", () => link("checkout/a/x", "../../outside/secret.txt"), "x"],
    ["a link into the rest of the checkout", () => link("checkout/a/x", "../.git/config"), "x"],
    ["a hidden file", () => put("checkout/a/.env", SECRET), ".env"],
    ["a hidden file in a folder", () => put("checkout/a/b/.npmrc", SECRET), "b/.npmrc"],
    ["a file in a hidden folder", () => put("checkout/a/.aws/credentials", SECRET), ".aws/credentials"],
    [
      "a file deep in a hidden folder",
      () => put("checkout/a/.docker/x/config.json", SECRET),
      ".docker/x/config.json",
    ],
    [
      "a link to a hidden file",
      () => {
        put("checkout/a/.env", SECRET);
        link("checkout/a/x", ".env");
      },
      "x",
    ],
  ])("is refused: %s", (_title, plant, path) => {
    plant();
    expect(() => read(path)).toThrow(TrustError);
  });

  it("is refused for what is hidden below an allowed folder, and allowed if it is named itself", () => {
    put("checkout/.ci/.env", SECRET);
    expect(() => read("../.ci/.env", ["checkout"])).toThrow(/hidden folder .ci/);
    expect(() => read("../.ci/.env", ["checkout/.ci"])).toThrow(/hidden f/);
    expect(read("../.ci/.env", ["checkout/.ci/.env"])).toBe(SECRET);
  });

  it("is not read if the folder itself is a link that leads out of the checkout", () => {
    link("checkout/x", at("outside"));
    expect(() => new ReadableFolders([at("checkout/x")])).toThrow(TrustError);
  });
});
