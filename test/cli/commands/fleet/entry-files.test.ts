/** Tests cli/commands/fleet/entry-files.ts: that no two files own the same objects. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { refuseSharedObjects } from "../../../../cli/commands/fleet/entry-files.js";
import { parseFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { temporaryFolder } from "../../support.js";

const WEB = "version: 1\nworkspace: acme\ngroups: { QA: {} }\n";
const SHOP = "version: 1\nworkspace: acme\ngroups: { Sales: {} }\n";

let folder: string;
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
/** Checks a fleet of both files, each with the stack "eu". */
function check(): void {
  const entries = "  web: { file: web.yaml, stack: eu }\n  shop: { file: shop.yaml, stack: eu }\n";
  const fleet = parseFleet(join(folder, "fleet.yaml"), `version: 1\nworkspaces:\n${entries}`);
  refuseSharedObjects(fleet.entries, {});
}

beforeEach(() => {
  folder = temporaryFolder();
  write("web.yaml", WEB);
  write("shop.yaml", SHOP);
});

describe("two files of a fleet for one workspace", () => {
  it("may declare different objects", () => {
    expect(check).not.toThrow();
  });

  it.each([
    ["itself", "shop.yaml", `${SHOP}owns: ["groups/*"]\n`],
    ["in the overlay of its stack", "shop.eu.yaml", 'owns: ["groups/*"]\n'],
    ["in a file that it includes", "shop.yaml", `include: [teams/*.yaml]\n${SHOP}`],
  ])("must not own each other's objects: one says so %s", (_, file, text) => {
    write("teams/all.yaml", 'owns: ["groups/*"]\n');
    write(file, text);
    expect(check).toThrow(/groups\/QA has another owner/);
  });
});
