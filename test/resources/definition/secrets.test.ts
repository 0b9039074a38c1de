/** Tests which names and values are secret. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { HIDDEN, isSecret } from "../../../diff/values.js";
import { createDynamicProvider } from "../../../provider/adapters/dynamic.js";
import { Session } from "../../../provider/connection/session.js";
import {
  definitions,
  findSecrets,
  getArgsSchema,
  getDefinition,
  isSensitive,
  listSecretNames,
  looksSecret,
  mapSecrets,
  maskArgs,
} from "../../../provider/index.js";
import { toSnakeCase } from "../../../resources/definition/api-names.js";
import { providerIn } from "../../provider/engine.js";

// Assembles tokens here, so that this file contains nothing that looks like one.
const made = (prefix: string, length: number, letters = "aB3dE5gH7jK9") =>
  prefix + letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
const keyBlock = (kind: string) =>
  ["-----BEGIN ", kind, "PRIVATE KEY-----\n", made("", 64), "\n-----END ", kind, "PRIVATE KEY-----"].join("");

describe("a name is sensitive", () => {
  const declared = definitions.flatMap((definition) =>
    definition
      .secret({})
      .filter((name) => !definition.undocumented.includes(name))
      .flatMap((name) => [
        name,
        toSnakeCase(name),
        toSnakeCase(name).toUpperCase(),
        toSnakeCase(name).replaceAll("_", "-"),
      ]),
  );

  it("when a definition declares an argument of that name as secret, in any case style", () => {
    expect(declared).toContain("server_key");
    expect(declared.filter((name) => !isSensitive(name))).toEqual([]);
  });

  it.each([
    ...["ssh_key", "sshKey", "access_key", "ACCESS_KEYS", "pwd", "user_pwd", "auth", "basicAuth", "bearer"],
    ...[
      "signature",
      "webhook",
      "webhook_url",
      "dsn",
      "SENTRY_DSN",
      "api-key",
      "APIKey",
      "x-api-key",
      "passwd",
      "pass",
    ],
    ...[
      "client_secret",
      "secretKey",
      "DEPLOY_KEY",
      "connection_string",
      "set-cookie",
      "jwt",
      "credentials",
      "hmac",
    ],
    ...["signing_key", "Authorization", "auth_header", "storageAccountKey", "registry_token", "private-key"],
    ...["max_token", "tokens", "TOTAL_SECRET", "number_credential"],
  ])("when it is %s", (name) => {
    expect(isSensitive(name)).toBe(true);
  });

  it.each([
    ...[
      "authentication_mode",
      "auth_mode",
      "git_auth_mode",
      "token_type",
      "env_key",
      "key",
      "public_key",
      "cache_key",
    ],
    ...[
      "name",
      "value",
      "author",
      "compass",
      "password_policy",
      "webhook_count",
      "scan_target",
      "keys",
      "monkey",
      "",
    ],
    ...["SECRET_NAME", "SSH_KEY_PATH", "token_name", "password_env", "token_url", "KEY_FILE", "tokenStore"],
    ...["max_tokens", "maxOutputTokens", "budget_tokens", "tokenLimit", "webhook_retries", "MAX_PASSWORDS"],
  ])("but not when it is %s", (name) => {
    expect(isSensitive(name)).toBe(false);
  });
});

/** Common secrets, each by its kind. */
const known: readonly (readonly [string, string])[] = [
  ["aws secret", `aws_secret_access_key=${made("", 40)}`],
  ["gcp", `{"type": "service_account", "private_key": "${keyBlock("")}"}`],
  ["privatekey", keyBlock("RSA ")],
  ["privatekey openssh", keyBlock("OPENSSH ")],
  ["npm", made(["npm", ""].join("_"), 36)],
  ["slack", ["xoxb", "23984754863", "2348975623103"].join("-")],
  ["slack hook", ["https://hooks.slack.com/services", "T0AB1CD2", "B3EF4GH5", made("", 24)].join("/")],
  ["basicauth", "https://bot:kf8Hq2mX1c@git.example.org/web.git"],
  ["openai", `sk-${made("", 20)}${["T3Blbk", "FJ"].join("")}${made("", 20)}`],
  ["linear", made(["lin_api", ""].join("_"), 40)],
  ["sendgrid", ["SG", made("", 22), made("", 43)].join(".")],
  ["shopify", made(["shpat", ""].join("_"), 32, "0a1b2c3d4e5f")],
  ["github", made(["ghp", ""].join("_"), 36)],
  ["github fine-grained", made(["github", "pat", ""].join("_"), 82)],
  ["1password", `ops_${Buffer.from(JSON.stringify({ signInAddress: "a".repeat(120) })).toString("base64")}`],
];

describe("a text looks like a secret", () => {
  it.each(known)("when it is of the kind %s", (_kind, text) => {
    expect(looksSecret(text)).toBe(true);
    expect(looksSecret([`run --with "${text}" now`])).toBe(true);
  });

  it.each([
    `${["AK", "IA"].join("")}${made("", 16, "Q3EXMPLR7Z")}`,
    `//registry.example.com/:_authToken=${made("", 30)}`,
    "PuTTY-User-Key-File-3: ssh-ed25519",
    keyBlock("ENCRYPTED "),
    made("glpat-", 20),
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", made("", 20)].join("."),
    made(["sk", "live", ""].join("_"), 24),
    "postgres://app:hunter2@db.example.com/shop",
    "git clone https://bot:hunter2@git.example.com/web.git",
    "https://hooks.example.com/deployed?token=x7Kq",
    "docker run -e DB_PASSWORD=hunter2 app",
    "deploy --password=hunter2",
    "curl -H 'Authorization: Bearer abcdef012345' https://example.com",
    '{"client_secret": "hunter2"}',
    "POSTGRES_PASSWORD=hunter2",
  ])("when it is %s", (text) => {
    expect(looksSecret(text)).toBe(true);
  });

  it.each([
    "https://git.example.com/web.git",
    "git@git.example.com:web.git",
    "key: value, token and password in a sentence",
    "Basic authentication, or a bearer token",
    "git clone https://bot:$TOKEN@git.example.com/web.git",
    "curl -H 'Authorization: Bearer $TOKEN' https://example.com?token=${TOKEN}",
    "docker run -e DB_PASSWORD=$DB_PASSWORD -e AUTH=true app",
    "npm ci && npm test",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    'grep -q "-----BEGIN RSA PRIVATE KEY-----" key.pem',
    "printf 'DEPLOY_TOKEN=%s\\n' \"$DEPLOY_TOKEN\" > .env",
    'sed -i "s/DB_PASSWORD=.*/DB_PASSWORD=$DB_PASSWORD/" .env',
    "TOKEN=`cat /run/token`",
    "APP_KEY=base64:$(openssl rand -base64 32)",
    "token_name=ci",
    "SECRET_KEY_BASE=dummy bundle exec rake assets:precompile",
  ])("but not when it is %s", (text) => {
    expect(looksSecret(text)).toBe(false);
  });

  it("in its secret part only, of which the rule is known", () => {
    const text = "docker run -e DB_PASSWORD=hunter2 -e REGION=us app --token $TOKEN";
    expect(findSecrets(text)).toEqual([{ start: 26, length: 7, rule: "value of DB_PASSWORD" }]);
  });

  it("in time proportional to its length", () => {
    // Processor time does not depend on what else runs on the machine.
    const began = process.cpuUsage();
    for (const piece of [
      "a",
      "-",
      "://",
      "?a",
      "eyJ",
      "SG.",
      "xoxb-1",
      "-----BEGIN ",
      'a":"',
      "token=$",
      "authorization: ",
    ])
      looksSecret(piece.repeat(200_000 / piece.length));
    expect(process.cpuUsage(began).user).toBeLessThan(6_000_000);
  });
});

describe("a value looks secret", () => {
  it.each([
    [[{ name: "Authorization", value: "Bearer x" }]],
    [[{ key: "API_TOKEN", value: "x" }]],
    [{ docs: { env: { apiKey: "x" } } }],
    [{ servers: [{ headers: { "x-secret": "x" } }] }],
    [[{ key: "X", value: "x", encrypted: true }]],
    [{ pin: { credentials: { user: "x" } } }],
  ])("when it is %j", (value) => {
    expect(looksSecret(value)).toBe(true);
  });

  it.each([
    [[{ name: "Content-Type", value: "text/plain" }]],
    [[{ name: "token-service", type: "HTTP" }]],
    [{ password: "$DB_PASS", private_key: "${server.ssh_key}", token: "`cat token`" }],
    [{ SECRET_NAME: "db", ssh_key_path: "/keys/id", token_url: "https://example.com/token", auth: "NONE" }],
    [{ docs: { url: "https://docs.example.com" }, secret: false, token: "" }],
    [22],
    [null],
  ])("but not when it is %j", (value) => {
    expect(looksSecret(value)).toBe(false);
  });

  it("in each text below a sensitive name", () => {
    const value = {
      db: { credentials: { name: "main", user: "u", pin: 7 }, port: 5 },
      list: [{ key: "PWD", value: "v" }],
    };
    expect(mapSecrets(value, () => "?")).toEqual({
      db: { credentials: { name: "main", user: "?", pin: "?" }, port: 5 },
      list: [{ key: "PWD", value: "?" }],
    });
  });
});

describe("an argument is secret", () => {
  it("when its definition declares it, or when any part of it looks secret", () => {
    const agent = { type: "AGENT", password: "x", triggerConditions: [{ token: "x" }], model: "large" };
    expect(listSecretNames(getDefinition("Action"), agent).filter((name) => name in agent)).toEqual([
      "password",
      "triggerConditions",
    ]);
  });

  it("when it is the value of an object with a sensitive name", () => {
    const variable = getDefinition("Variable");
    expect(maskArgs(variable, { key: "API_TOKEN", value: "x" })).toEqual({ key: "API_TOKEN", value: HIDDEN });
    expect(maskArgs(variable, { key: "REGION", value: "x" })).toEqual({ key: "REGION", value: "x" });
  });

  const action = getDefinition("Action");
  const undocumented = Object.entries(action.variants?.of ?? {}).flatMap(([variant, { args }]) =>
    action.undocumented.filter((name) => name in args).map((name) => [variant, name] as const),
  );

  it("as a whole when its contents are undocumented", () => {
    expect(undocumented.map((one) => one.join(" ")).sort()).toEqual([
      "AGENT mcpServers",
      "AGENT services",
      "BUILD services",
      "other fields",
    ]);
  });

  it.each(undocumented)("unless nonSecret names it: %s, %s", async (variant, name) => {
    const chosen = variant === "other" ? { type: "CUSTOM", fields: {} } : { type: variant };
    const value = name === "services" ? [{ type: "CACHE" }] : { target: "src" };
    const args = { ...chosen, [name]: value };
    expect(maskArgs(action, args)[name]).toBe(HIDDEN);
    expect(maskArgs(action, { ...args, nonSecret: [name] })[name]).toEqual(value);
    const { inputs } = await createDynamicProvider(action).check({}, { ...args, nonSecret: [name] });
    expect((inputs as Record<string, unknown>)[name]).toEqual(value);
    expect(Object.keys(getArgsSchema(action, args).shape)).toContain("nonSecret");
    const hiding = name === "services" ? [{ password: "x" }] : { server_key: "x" };
    expect(maskArgs(action, { ...args, [name]: hiding, nonSecret: [name] })[name]).toBe(HIDDEN);
  });

  it("in a state of an earlier release that has it in plaintext, without showing a change", async () => {
    const args = {
      workspace: "acme",
      project: "web",
      pipeline: 1,
      name: "Restart",
      type: "SSH_COMMAND",
      triggerTime: "ON_EVERY_EXECUTION",
      fields: { authentication_mode: "PRIVATE_KEY", server_key: keyBlock("") },
    };
    const { diffResource } = await import("../../../provider/crud/diff.js");
    expect(diffResource(action, { ...args, pipelineId: 1, actionId: 2 }, args).changed).toEqual([]);
    expect(diffResource(action, args, { ...args, nonSecret: ["fields"] }).changed).toEqual([]);
    const { inputs } = await createDynamicProvider(action).check({}, args);
    expect(isSecret(inputs["fields"])).toBe(true);
    expect(inputs["name"]).toBe("Restart");
  });
});

describe("an error message", () => {
  it("does not contain secrets that the service repeats", async () => {
    const key = keyBlock("");
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        const message = `Bad token ${String(request.headers.authorization)}: server_key ${key} and phrase-in-clear are wrong`;
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ errors: [{ message }] }));
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      const { port } = server.address() as AddressInfo;
      const baseUrl = `http://127.0.0.1:${port}`;
      const connection = { baseUrl, token: "token-in-clear", workspace: "acme", allowInsecure: false };
      const session = new Session(connection);
      const provider = providerIn(session, "Variable");
      const failing = provider.create({ key: "PHRASE", value: "phrase-in-clear", encrypted: true });
      const error = await failing.then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
      expect(error?.message).toContain("[secret]");
      expect(`${error?.message} ${error?.stack}`).not.toMatch(/in-clear/);
    } finally {
      server.close();
    }
  });
});
