/** Tests the difference of two trees, where contents stay and modes do not. */
import type { TreeEntry } from "isomorphic-git";
import { expect, test } from "vitest";
import { diffTrees } from "../../emulator/git/diff.js";
import type { Repository } from "../../emulator/git/repository.js";

const entry = (path: string, mode: string, oid = "same"): TreeEntry => ({ path, mode, oid, type: "blob" });

/** A repository of two trees, in which each blob contains its own name. */
const repository = (trees: Readonly<Record<string, TreeEntry[]>>) =>
  ({
    tree: (oid: string) => Promise.resolve(trees[oid] ?? []),
    blob: (oid: string) => Promise.resolve(Buffer.from(`${oid}\n`)),
  }) as unknown as Repository;

test("a file that becomes executable is replaced, although its contents are the same", async () => {
  const trees = {
    before: [entry("run.sh", "100644"), entry("a.txt", "100644")],
    after: [entry("run.sh", "100755"), entry("a.txt", "100644")],
  };
  const changes = await diffTrees(repository(trees), "before", "after");
  expect(changes).toMatchObject([{ file_name: "run.sh", status: "REPLACED", additions: 0, deletions: 0 }]);
});
