/** A server of releases on this machine, with a small archive that is laid out like Pulumi's. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { chooseArchiveName } from "../../toolchain/digests.js";
import { executables } from "../../toolchain/locations.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";
import { executable, temporaryFolder } from "./fakes.js";

export const ARCHIVE = chooseArchiveName()!;
export const LIST = `pulumi-${PULUMI_VERSION}-checksums.txt`;

export const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** Contents of the programs in the archive. */
export const programs: Readonly<Record<string, string>> = {
  [executables.cli]: `#!/bin/sh\necho v${PULUMI_VERSION}\n`,
  [executables.languageHost]: "#!/bin/sh\necho 40917\nexec sleep 60\n",
  [executables.resourcePlugin]: "#!/bin/sh\n",
};

/** Makes the archive of this machine's release. */
export async function archive(): Promise<Buffer> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(programs)) await executable(join(folder, "pulumi", name), text);
  await execa("tar", ["-czf", join(folder, ARCHIVE), "-C", folder, "pulumi"]);
  return readFileSync(join(folder, ARCHIVE));
}

type Answer = Buffer | string | ((request: IncomingMessage, response: ServerResponse) => void);

/** Starts a server of files until the test ends. Default: the archive and the list with its digest. */
export async function serveRelease(changed: Readonly<Record<string, Answer | undefined>> = {}) {
  const bytes = await archive();
  const list = `${"0".repeat(64)}  pulumi-v${PULUMI_VERSION}-plan9-mips.tar.gz\n${sha256(bytes)}  ${ARCHIVE}\n`;
  const files: Record<string, Answer | undefined> = { [ARCHIVE]: bytes, [LIST]: list, ...changed };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
    requests.push(name);
    const answer = files[name];
    if (typeof answer === "function") return answer(request, response);
    if (answer === undefined) return void response.writeHead(404).end("not here");
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/releases/sdk`, port, requests, bytes };
}
