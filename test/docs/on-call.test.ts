/** Tests that the messages in the page for people on call are those that the commands print. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/on-call.md"), "utf8");

const rooms = ["automation", "cli", "client", "provider", "recovery", "reports", "workspace-file"];
const sources = rooms
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(root, room, file), "utf8")),
  )
  .join("\n");

const seen = [...page.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = ""]) => text.split(" ... ")),
);

it("has rows", () => expect(seen.length).toBeGreaterThan(15));

it.each(seen)("quotes a message that exists: %s", (text) => {
  expect(sources.includes(text.trim())).toBe(true);
});
