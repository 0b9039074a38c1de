/**
 * Which environment variables a workspace file may read. Only the caller of a command says so, never a file of the checkout:
 * `${env:NAME}` reads WORKSPACE_VAR_NAME, which only the caller sets, or NAME itself if --allow-env names it.
 */
import { TrustError } from "./errors.js";
import { FLEET_POLICY_VARIABLE, POLICY_VARIABLE } from "./policies.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Patterns of --allow-env, separated by commas. Everything that reads files or references finds them in its environment. */
export const ALLOW_ENV = "WORKSPACE_AUTOMATION_ALLOW_ENV";

const PREFIX = "WORKSPACE_VAR_";

/** Variables that say what a file may do, with the options that say the same. */
const optionOf: Readonly<Record<string, string>> = {
  [ALLOW_ENV]: "--allow-env",
  [POLICY_VARIABLE]: "--policy",
  [FLEET_POLICY_VARIABLE]: "--policy",
};

/**
 * Beginnings of names that no pattern allows: what this tool, Pulumi, clouds, secret stores, package managers and CI systems define
 * themselves. In addition to tokens, their addresses (CI_REPOSITORY_URL), files (AWS_CONFIG_FILE) and sockets contain credentials or give access to them.
 */
// cspell:disable
const reserved = matchBeginnings(
  "WORKSPACE_AUTOMATION WORKSPACECTL PULUMI",
  "AWS ECS AZURE ARM MSI IDENTITY_HEADER IDENTITY_ENDPOINT GOOGLE GCLOUD GCP GCE GAE CLOUDSDK FIREBASE DIGITALOCEAN SPACES_ACCESS",
  "SPACES_SECRET ALICLOUD ALIBABA ALIYUN TENCENTCLOUD HUAWEICLOUD OCI IBMCLOUD IBM IC HCLOUD LINODE VULTR SCW OVH OS YC CLOUDFLARE",
  "EXOSCALE UPCLOUD CIVO IONOS STACKIT CF FASTLY HEROKU NETLIFY VERCEL FLY VAULT BAO OP BW BWS DOPPLER INFISICAL CONJUR AKEYLESS SOPS CREDENTIALS_DIRECTORY",
  "TF TFC TFE ATLAS TERRAFORM SPACELIFT CONSUL NOMAD KUBE KUBECONFIG KUBERNETES HELM DOCKER DOCKERHUB BUILDKIT SSH GPG GIT NETRC",
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NPM NODE_AUTH YARN PNPM TWINE PYPI PIP UV POETRY CARGO NUGET MAVEN GEM BUNDLE COMPOSER GOAUTH",
  "CI GITHUB GH ACTIONS RUNNER GITLAB DUO TRIGGER_PAYLOAD GITEA FORGEJO WOODPECKER DRONE BITBUCKET PIPELINES BUILDKITE CIRCLE",
  "CIRCLECI JENKINS HUDSON TRAVIS ENCRYPTED APPVEYOR TEAMCITY SEMAPHORE CODEBUILD CIRRUS BAMBOO BITRISE CODEFRESH HARNESS EARTHLY",
  "SYSTEM_ACCESSTOKEN SYSTEM_OIDCREQUESTURI ENDPOINT_AUTH SECUREFILE VSTS VSS VSO AZP CONCOURSE ARGOCD",
);
// cspell:enable

function matchBeginnings(...lines: readonly string[]): RegExp {
  return new RegExp(`^(?:${lines.join(" ").replaceAll(" ", "|")})(?:_|$)`);
}

/** Words in the names of secrets. A pattern that begins with a wildcard does not allow these names. */
const secretWords =
  /TOKEN|SECRET|PASS|PWD|CRED|KEY|AUTH|JWT|COOKIE|SESSION|SIGNATURE|SALT|CERT|PRIVATE|WEBHOOK|CONN|DSN|(?:^|_)(?:PAT|SAS|OTP)(?:_|$)/;

/**
 * Returns the variable from which a file gets the value of a name. Without an environment, it is the one that is always allowed. A
 * variable that the caller has not allowed is never looked at.
 */
export function chooseVariableFor(name: string, env: Environment = {}): string {
  const variable = PREFIX + name;
  const isSet = findValue(variable, env) !== undefined;
  return !isSet && mayRead(name, env) && findValue(name, env) !== undefined ? name : variable;
}

/** Returns the value that a file gets for a name. */
export function readVariable(name: string, env: Environment): string | undefined {
  return findValue(chooseVariableFor(name, env), env);
}

/** Explains why a file gets no value for a name, and what the caller may do about it. */
export function formatMissingVariable(name: string, env: Environment): string {
  const variable = chooseVariableFor(name, env);
  if (findValue(variable, env) !== undefined)
    return `${variable} is empty: set this environment variable before you run the command`;
  if (name.startsWith(PREFIX))
    return `${variable} is not set: write \${env:${name.slice(PREFIX.length)}} to read ${name}`;
  if (mayRead(name, env))
    return `neither ${variable} nor ${name} is set: set one of them before running the command`;
  if (isReadable(name))
    return `${variable} is not set: set this environment variable before you run the command, or add --allow-env ${name} to use ${name} itself`;
  return (
    `${variable} is not set (${name} itself is never used, because it may contain a credential of the run): ` +
    "set this environment variable before you run the command"
  );
}

/** Returns an environment that allows more. Each pattern names a variable; `*` stands for any text. */
export function parseAllowed(patterns: readonly string[], env: Environment): Environment {
  return patterns.length === 0
    ? env
    : { ...env, [ALLOW_ENV]: [...listPatternsIn(env), ...patterns].join(",") };
}

/**
 * Reports whether a pattern of the caller names something that a file wants to read: a variable, or for other sources a name with a
 * prefix, such as `esc:acme/prod`. A wildcard does not stand for the prefix.
 */
export function isAllowed(name: string, env: Environment): boolean {
  const isOpen = !secretWords.test(name.toUpperCase());
  return listPatternsIn(env).some(
    (pattern) =>
      getSource(pattern) === getSource(name) &&
      matches(pattern, name) &&
      (isOpen || !pattern.startsWith("*")),
  );
}

/**
 * Refuses a variable that a fleet file sets for a workspace, unless it provides a value for files, or is a setting of the tools whose
 * source says in its name what it is for. So a file gets no other value of the caller's environment into either.
 * @throws {TrustError}
 */
export function refuseMapping(to: string, from: string): void {
  if (to.startsWith(PREFIX)) {
    if (from.startsWith(PREFIX)) return;
    throw new TrustError(
      "variable",
      `${to} may not get its value from ${from}`,
      `store the value in an environment variable whose own name begins with ${PREFIX}, such as ${to}, and write that name instead of ${from}`,
    );
  }
  const option = optionOf[to.toUpperCase()];
  if (option !== undefined || !isReserved(to))
    throw new TrustError(
      "variable",
      option !== undefined
        ? `${to} decides what the command may do, so only its caller may set it, and no file`
        : `${to} is not a setting of the connection or the state, and only such are allowed here`,
      option !== undefined
        ? `remove the line, and add ${option} to the command`
        : `for a value of the workspace file, set ${chooseVariableFor(to)}`,
    );
  if (`_${from}_`.includes(`_${to}_`)) return;
  throw new TrustError(
    "variable",
    `${to} may not get its value from ${from}`,
    `store the value in an environment variable whose own name contains ${to}, such as EU_${to}, and write that name instead of ${from}`,
  );
}

/**
 * Refuses a value of the stack's configuration that is a credential of the run: the token of the connection, and the settings of Pulumi
 * and of clouds.
 * @param key with its namespace, such as `aws:secretKey`
 * @throws {TrustError}
 */
export function refuseConfiguration(key: string): void {
  const [namespace = "", ...name] = key.split(":");
  // A project without a name of its own has this one, so its other values are those of the file.
  const isOwn = namespace === "workspace-automation" && name.at(-1) !== "token";
  if (name.length === 0 || isOwn || !isReserved(namespace.replaceAll("-", "_"))) return;
  throw new TrustError(
    "variable",
    `the configuration ${key} may be a credential of the run, so a workspace file does not get it`,
    `store the value under a key without a colon, such as "workspacectl config set ${name.at(-1)} VALUE"`,
  );
}

function mayRead(name: string, env: Environment): boolean {
  return isReadable(name) && isAllowed(name, env);
}

/** Whether a pattern can allow the variable itself. */
function isReadable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !isReserved(name);
}

/** Names are case-insensitive on Windows. */
function isReserved(name: string): boolean {
  return reserved.test(name.toUpperCase());
}

function findValue(name: string, env: Environment): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

function listPatternsIn(env: Environment): string[] {
  const patterns = (env[ALLOW_ENV] ?? "").split(",").map((pattern) => pattern.trim());
  return patterns.filter((pattern) => pattern !== "");
}

function getSource(text: string): string {
  return text.slice(0, text.indexOf(":") + 1);
}

/** Compares without a regular expression, whose time could grow with the name that a file contains. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}
