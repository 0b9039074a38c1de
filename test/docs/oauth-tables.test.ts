/** Tests that the pages name the OAuth servers and clients that `npm run stress -- world` tries, with their versions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clients } from "../e2e/oauth/clients.js";
import { servers } from "../e2e/oauth/servers.js";
import { repository } from "../e2e/support.js";

const readPage = (name: string) => readFileSync(join(repository, "docs", name), "utf8");

it("connections.md lists the servers, and what each of them does", () => {
  const rows = servers.map(
    ({ name, version, clients: ways, registers, revokes, detectsReuse }) =>
      `| ${name} ${version} | ${ways.join(", ")} | ${registers ? "yes" : "none"} | ${revokes} | ${detectsReuse ? "ends the login" : "is refused"} |`,
  );
  expect(readPage("connections.md")).toContain(`|---|---|---|---|---|\n${rows.join("\n")}\n`);
});

it("emulator.md lists the clients, and how each of them sends its secret", () => {
  const rows = clients.map(({ name, version, ways }) => `| ${name} ${version} | ${ways} |`);
  expect(readPage("emulator.md")).toContain(`|---|---|\n${rows.join("\n")}\n`);
});
