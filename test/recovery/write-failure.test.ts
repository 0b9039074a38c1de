/** Tests what is said about a place that cannot be written. */
import { mkdirSync, type PathLike } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWriteError, explainWriteFailure } from "../../recovery/write-failure.js";
import { temporaryFolder } from "../cli/support.js";

describe("a place that cannot be written", () => {
  it.each([
    [
      "Pulumi on a full disk",
      "could not import deployment: An IO error occurred: no space left on device",
      "a disk is full",
    ],
    ["Node.js on a full disk", "ENOSPC: no space left on device, copyfile 'a' -> 'b'", "a disk is full"],
    ["a quota", "write /state/dev.json: disk quota exceeded", "a disk is full"],
    [
      "Pulumi in a read-only folder",
      "open /state/dev.json: read-only file system",
      "a folder can only be read",
    ],
    [
      "Node.js without the right",
      "EACCES: permission denied, mkdir '/state'",
      "this user may not write a file or a folder",
    ],
    [
      "Pulumi without the right",
      "open /state/dev.json: permission denied",
      "this user may not write a file or a folder",
    ],
  ])("is named by what %s says", (_who, message, what) => {
    expect(explainWriteFailure(message)?.what).toBe(what);
  });

  it.each(["403 permission denied", "spawn EACCES", "unexpected end of JSON input"])(
    "is not the cause of %s",
    (message) => expect(explainWriteFailure(message)).toBeUndefined(),
  );

  it("is called read-only where Node.js calls a folder missing that it cannot make there", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "state"));
    const missing = Object.assign(new Error("ENOENT: no such file or directory, mkdir"), { code: "ENOENT" });
    const path = join(folder, "state", "journal", "dev");
    expect(describeWriteError(path, missing)).toBe(missing.message);
    const refuse = (place: PathLike) => {
      throw new Error(`EROFS: read-only file system, access '${String(place)}'`);
    };
    expect(describeWriteError(path, missing, refuse)).toBe(
      `EROFS: read-only file system, access '${join(folder, "state")}'`,
    );
  });
});
