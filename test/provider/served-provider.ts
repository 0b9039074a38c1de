/** Serves the provider of an engine in the test process, as `workspacectl` does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { afterEach } from "vitest";
import { DynamicService } from "../../provider/adapters/dynamic-service.js";
import { serve } from "../../provider/adapters/grpc-server.js";
import { AttachedPlugin } from "../../provider/adapters/plugin/service.js";
import { buildProviderText, type DeclaredReferences, PROVIDER_KEY } from "../../provider/index.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { PluginClient } from "./plugin-client.js";

type Props = Record<string, unknown>;

const folder = temporaryFolder();
export const plantedFile = fileIn(folder, "key.txt", "planted-file");
/** An environment with secrets. */
export const planted: Record<string, string> = {
  PULUMI_CONFIG_PASSPHRASE: "planted-passphrase",
  AWS_SECRET_ACCESS_KEY: "planted-aws",
  TOKEN: "planted-other",
  WORKSPACE_VAR_TOKEN: "planted-token",
};
export const engines = ["dynamic", "plugin"] as const;
export type EngineName = (typeof engines)[number];

/** Closes what a test has opened. */
export const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

export interface ServedProvider {
  readonly client: PluginClient;
  readonly lines: string[];
}

export async function serveProvider(
  engine: EngineName,
  baseUrl: string,
  token: string,
  references: DeclaredReferences,
  env: Record<string, string> = planted,
): Promise<ServedProvider> {
  const lines: string[] = [];
  const world = {
    env: {
      ...env,
      WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: token,
      WORKSPACE_AUTOMATION_DOMAIN: "acme",
      WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
      WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
    },
    print: (line: string) => lines.push(line),
    config: () => "planted-configuration",
    references,
  };
  const provider = engine === "dynamic" ? new DynamicService(world) : new AttachedPlugin(world, () => "{}");
  const server = await serve([provider.service]);
  const client = new providerGrpc.ResourceProviderClient(
    `127.0.0.1:${server.port}`,
    grpc.credentials.createInsecure(),
  );
  closing.push(() => {
    client.close();
    server.close();
    provider.close(true);
  });
  return { client: new PluginClient(client, () => undefined), lines };
}

/** The properties of an object that name its provider. */
export const textOf = (engine: EngineName, type: string): Props =>
  engine === "dynamic" ? { [PROVIDER_KEY]: buildProviderText(type) } : {};

export const noReferences: DeclaredReferences = {
  has: () => false,
  file: (path) => readFileSync(path, "utf8"),
};
