/** Ends workspacectl on SIGTERM where it is the first process of a container. Needs Linux and the right to make a namespace of processes. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { execa } from "execa";
import { afterAll, expect, it } from "vitest";
import { bin, connected, isolated, temporaryFolder } from "./support.js";

const namespace = ["unshare", "--user", "--map-root-user", "--pid", "--fork"] as const;
const [command, ...options] = namespace;
const { failed } = await execa(command, [...options, "true"], { reject: false });

it.skipIf(failed)(
  `ends at once${failed ? " (skipped: no namespace of processes can be made)" : ""}`,
  async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    afterAll(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const env = isolated(
      temporaryFolder(),
      connected({ baseUrl: `http://127.0.0.1:${port}`, token: "token" }),
    );
    const running = execa(command, [...options, process.execPath, bin, "whoami"], {
      env,
      extendEnv: false,
      reject: false,
    });
    const [connection] = (await once(silent, "connection")) as [Socket];
    const children = readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, "utf8").trim();
    process.kill(Number(children), "SIGTERM");
    expect((await running).exitCode).toBe(130);
    connection.destroy();
  },
);
