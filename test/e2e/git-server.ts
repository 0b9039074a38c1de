/** Serves Git repositories at https://git.example.com to programs that use a proxy. Nothing leaves this machine. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generate } from "selfsigned";
import { afterAll } from "vitest";

export const GIT_HOST = "git.example.com";

/**
 * Starts the server and the proxy, until the tests of the file have ended.
 * @param folder contains the bare repositories
 * @returns the environment in which a program finds the host, and accepts its certificate
 */
export async function startGitServer(folder: string): Promise<NodeJS.ProcessEnv> {
  const { private: key, cert } = await generate([{ name: "commonName", value: GIT_HOST }], {
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: GIT_HOST }] },
    ],
  });
  const certificate = join(folder, "certificate.pem");
  writeFileSync(certificate, cert);
  const git = await listening(createHttps({ key, cert }, gitOver(folder)));
  const proxy = createHttp().on("connect", ({ url = "" }: { url?: string }, socket) => {
    const [host = "", port] = url.split(":");
    const target = host === GIT_HOST ? connect(git, "127.0.0.1") : connect(Number(port), host);
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
    target.on("connect", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
  });
  return {
    HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}`,
    NO_PROXY: "127.0.0.1,localhost",
    SSL_CERT_FILE: certificate,
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  server.unref();
  afterAll(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Answers with Git's own CGI program. */
function gitOver(folder: string): RequestListener {
  return (request, response) => {
    const { pathname, search } = new URL(request.url ?? "", `https://${GIT_HOST}`);
    const { headers } = request;
    const child = spawn("git", ["http-backend"], {
      stdio: ["pipe", "pipe", "ignore"],
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
        GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
      },
    });
    request.pipe(child.stdin);
    void buffer(child.stdout).then((all) => {
      const end = all.indexOf("\r\n\r\n");
      const lines = all.subarray(0, end).toString().split("\r\n");
      const fields = lines.map((line) => line.split(": ") as [string, string]);
      const status = fields.find(([name]) => name === "Status")?.[1];
      response.writeHead(status === undefined ? 200 : Number.parseInt(status), Object.fromEntries(fields));
      response.end(all.subarray(end + 4));
    });
  };
}
