/** Tests which environment variables a file may read. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALLOW_ENV,
  chooseVariableFor,
  formatMissingVariable,
  isAllowed,
  parseAllowed,
  readVariable,
  refuseConfiguration,
  refuseMapping,
} from "../../trust/variables.js";

/** Variables with credentials, or that lead to them, by who defines them. */
const credentials: Readonly<Record<string, string>> = {
  "this tool and Pulumi":
    "WORKSPACE_AUTOMATION_TOKEN WORKSPACE_AUTOMATION_EU_TOKEN WORKSPACE_AUTOMATION_CLIENT_SECRET WORKSPACE_AUTOMATION_ALLOW_ENV " +
    "WORKSPACE_AUTOMATION_LEDGER PULUMI_ACCESS_TOKEN PULUMI_CONFIG_PASSPHRASE PULUMI_CONFIG_PASSPHRASE_FILE PULUMI_BACKEND_URL " +
    "PULUMI_CONFIG PULUMI_OIDC_TOKEN",
  clouds:
    "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_SECURITY_TOKEN AWS_PROFILE AWS_BEARER_TOKEN_BEDROCK " +
    "AWS_WEB_IDENTITY_TOKEN_FILE AWS_SHARED_CREDENTIALS_FILE AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_CREDENTIALS_FULL_URI " +
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_EC2_METADATA_SERVICE_ENDPOINT ECS_CONTAINER_METADATA_URI_V4 AZURE_CLIENT_SECRET " +
    "AZURE_STORAGE_KEY AZURE_STORAGE_SAS_TOKEN AZURE_STORAGE_CONNECTION_STRING AZURE_PASSWORD AZURE_CLIENT_CERTIFICATE_PATH " +
    "AZURE_FEDERATED_TOKEN_FILE ARM_CLIENT_SECRET ARM_ACCESS_KEY ARM_SAS_TOKEN ARM_OIDC_REQUEST_TOKEN MSI_SECRET IDENTITY_HEADER " +
    "GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CREDENTIALS GOOGLE_OAUTH_ACCESS_TOKEN GOOGLE_API_KEY GCLOUD_KEYFILE_JSON " +
    "GCP_SERVICE_ACCOUNT_KEY CLOUDSDK_AUTH_ACCESS_TOKEN CLOUDSDK_CONFIG FIREBASE_TOKEN DIGITALOCEAN_ACCESS_TOKEN SPACES_SECRET_ACCESS_KEY " +
    "ALICLOUD_SECRET_KEY ALIBABA_CLOUD_ACCESS_KEY_SECRET TENCENTCLOUD_SECRET_KEY HUAWEICLOUD_SDK_SK OCI_CLI_KEY_CONTENT IBMCLOUD_API_KEY " +
    "IC_API_KEY HCLOUD_TOKEN LINODE_TOKEN VULTR_API_KEY SCW_SECRET_KEY OVH_APPLICATION_SECRET OS_PASSWORD YC_TOKEN CLOUDFLARE_API_TOKEN " +
    "CF_API_KEY EXOSCALE_API_SECRET UPCLOUD_TOKEN CIVO_TOKEN IONOS_TOKEN STACKIT_SERVICE_ACCOUNT_TOKEN FASTLY_API_KEY HEROKU_API_KEY NETLIFY_AUTH_TOKEN VERCEL_OIDC_TOKEN FLY_API_TOKEN",
  "stores of secrets and tools":
    "VAULT_TOKEN VAULT_ADDR BAO_TOKEN OP_SERVICE_ACCOUNT_TOKEN BWS_ACCESS_TOKEN DOPPLER_TOKEN INFISICAL_TOKEN CONJUR_AUTHN_API_KEY " +
    "SOPS_AGE_KEY CREDENTIALS_DIRECTORY TF_TOKEN_app_terraform_io TF_VAR_password TFE_TOKEN ATLAS_TOKEN SPACELIFT_OIDC_TOKEN CONSUL_HTTP_TOKEN " +
    "NOMAD_TOKEN KUBECONFIG KUBE_TOKEN KUBERNETES_SERVICE_HOST DOCKER_AUTH_CONFIG DOCKER_CONFIG DOCKERHUB_PASSWORD SSH_AUTH_SOCK " +
    "SSH_PRIVATE_KEY GPG_PASSPHRASE GIT_ASKPASS GIT_PASSWORD GIT_CONFIG_VALUE_0 NETRC HTTP_PROXY https_proxy ALL_PROXY",
  "package managers":
    "NPM_TOKEN NODE_AUTH_TOKEN NPM_CONFIG__AUTH npm_config_userconfig YARN_NPM_AUTH_TOKEN TWINE_PASSWORD PYPI_TOKEN PIP_INDEX_URL " +
    "UV_PUBLISH_TOKEN POETRY_PYPI_TOKEN_PYPI CARGO_REGISTRY_TOKEN NUGET_API_KEY MAVEN_PASSWORD GEM_HOST_API_KEY BUNDLE_GITHUB__COM " +
    "COMPOSER_AUTH GOAUTH",
  "CI systems":
    "GITHUB_TOKEN GH_TOKEN GH_ENTERPRISE_TOKEN ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL " +
    "ACTIONS_CACHE_URL ACTIONS_RESULTS_URL GITHUB_EVENT_PATH CI_JOB_TOKEN CI_JOB_JWT CI_JOB_JWT_V1 CI_JOB_JWT_V2 CI_BUILD_TOKEN " +
    "CI_REGISTRY_PASSWORD CI_REGISTRY_USER CI_DEPLOY_PASSWORD CI_DEPENDENCY_PROXY_PASSWORD CI_REPOSITORY_URL CI_BUILD_REPO " +
    "CI_RUNNER_SHORT_TOKEN CI_SERVER_TLS_KEY_FILE CI_NETRC_PASSWORD GITLAB_TOKEN GITLAB_OIDC_TOKEN DUO_WORKFLOW_GIT_HTTP_PASSWORD " +
    "TRIGGER_PAYLOAD SYSTEM_ACCESSTOKEN SYSTEM_OIDCREQUESTURI ENDPOINT_AUTH_PARAMETER_SYSTEMVSSCONNECTION_ACCESSTOKEN " +
    "VSS_NUGET_EXTERNAL_FEED_ENDPOINTS BUILDKITE_AGENT_ACCESS_TOKEN BUILDKITE_AGENT_JOB_API_TOKEN BUILDKITE_AGENT_JOB_API_SOCKET " +
    "BUILDKITE_S3_SECRET_ACCESS_KEY CIRCLE_TOKEN CIRCLE_OIDC_TOKEN CIRCLE_OIDC_TOKEN_V2 CIRCLE_INTERNAL_TASK_DATA CIRCLECI_CLI_TOKEN " +
    "BITBUCKET_STEP_OIDC_TOKEN BITBUCKET_TOKEN PIPELINES_JWT_TOKEN JENKINS_API_TOKEN HUDSON_COOKIE TRAVIS_API_TOKEN " +
    "encrypted_0a6446eb3ae3_key APPVEYOR_API_TOKEN TEAMCITY_AUTH_PASSWORD SEMAPHORE_OIDC_TOKEN SEMAPHORE_ARTIFACT_TOKEN DRONE_NETRC_PASSWORD " +
    "DRONE_SSH_KEY WOODPECKER_AGENT_SECRET GITEA_TOKEN FORGEJO_TOKEN CODEBUILD_AUTH_TOKEN CIRRUS_TOKEN BAMBOO_USER_SECRET bamboo_jwt " +
    "AZP_TOKEN CONCOURSE_CLIENT_SECRET ARGOCD_AUTH_TOKEN BITRISE_BUILD_API_TOKEN CODEFRESH_API_KEY HARNESS_API_KEY EARTHLY_TOKEN RUNNER_TOKEN",
};
const all = Object.values(credentials).flatMap((names) => names.split(" "));

describe("a file reads", () => {
  const env = {
    WORKSPACE_VAR_A: "of the caller",
    A: "of the system",
    B: "b",
    EMPTY: "",
    WORKSPACE_VAR_B: "",
  };

  it("WORKSPACE_VAR_NAME, and NAME only if the caller allows it", () => {
    expect(readVariable("A", env)).toBe("of the caller");
    expect(readVariable("A", { A: "x" })).toBeUndefined();
    expect(readVariable("A", parseAllowed(["A"], { A: "x" }))).toBe("x");
    expect(readVariable("A", { A: "x", [ALLOW_ENV]: " B , A ,, " })).toBe("x");
    expect(readVariable("A", parseAllowed(["B"], { A: "x", [ALLOW_ENV]: "A" }))).toBe("x");
  });

  it("WORKSPACE_VAR_NAME rather than NAME, also when it is empty", () => {
    expect(readVariable("A", parseAllowed(["*"], env))).toBe("of the caller");
    expect(readVariable("B", parseAllowed(["*"], env))).toBe("");
    expect(chooseVariableFor("B", parseAllowed(["*"], env))).toBe("WORKSPACE_VAR_B");
    expect(chooseVariableFor("EMPTY", parseAllowed(["*"], env))).toBe("EMPTY");
  });

  it("no property of an object that is no variable", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"])
      expect(readVariable(name, parseAllowed(["*", name], {}))).toBeUndefined();
  });

  it("never looks at a variable that is not allowed", () => {
    const looked: string[] = [];
    const watched = new Proxy<Record<string, string>>(
      { A: "x", [ALLOW_ENV]: "B" },
      {
        get: (target, key: string) => (looked.push(key), target[key]),
        getOwnPropertyDescriptor: (target, key: string) => {
          looked.push(key);
          return Object.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    readVariable("A", watched);
    formatMissingVariable("A", watched);
    expect(looked).not.toContain("A");
    expect(looked).toContain("WORKSPACE_VAR_A");
  });

  it("the same for every name, whatever else the environment contains", () => {
    const name = fc.stringMatching(/^[A-Z_a-z]{1,8}$/);
    fc.assert(
      fc.property(name, fc.dictionary(name, fc.string()), (wanted, others) => {
        expect(readVariable(wanted, others)).toBeUndefined();
        expect(readVariable(wanted, { ...others, [`WORKSPACE_VAR_${wanted}`]: "x" })).toBe("x");
      }),
    );
  });
});

describe("a pattern", () => {
  it.each([
    ["SHOP_REGION", "SHOP_REGION", true],
    ["SHOP_*", "SHOP_REGION", true],
    ["SHOP_*", "SHOP_TOKEN", true],
    ["SHOP_*", "SHOP_", true],
    ["SHOP_*", "MY_SHOP_REGION", false],
    ["SHOP_*_URL", "SHOP_EU_URL", true],
    ["SHOP_*_URL", "SHOP_URL", false],
    ["A*B*C", "AxBxC", true],
    ["A*BC*C", "ABC", false],
    ["AB*BA", "ABA", false],
    ["*", "REGION", true],
    ["*_URL", "SHOP_URL", true],
    ["*", "MY_DEPLOY_TOKEN", false],
    ["*_TOKEN", "MY_DEPLOY_TOKEN", false],
    ["**", "MY_PASSWORD", false],
    ["MY_DEPLOY_TOKEN", "MY_DEPLOY_TOKEN", true],
    ["shop_region", "SHOP_REGION", false],
    ["SHOP.REGION", "SHOP_REGION", false],
    ["SHOP_REGIO?", "SHOP_REGION", false],
    ["[A-Z]*", "SHOP_REGION", false],
    ["", "SHOP_REGION", false],
    ["esc:acme/prod", "esc:acme/prod", true],
    ["esc:acme/*", "esc:acme/prod", true],
    ["*", "esc:acme/prod", false],
    ["e*", "esc:acme/prod", false],
    ["esc:*", "REGION", false],
  ])("%s and the name %s: %s", (pattern, name, matches) => {
    expect(isAllowed(name, { [ALLOW_ENV]: pattern })).toBe(matches);
  });

  it("takes time in proportion to the name", () => {
    const began = performance.now();
    expect(isAllowed("A".repeat(100_000), { [ALLOW_ENV]: `${"A*".repeat(50)}B` })).toBe(false);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe("a credential of the run", () => {
  it("is one of many", () => {
    expect(all.length).toBeGreaterThan(150);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(Object.keys(credentials))("of %s is not read, whatever the pattern", (group) => {
    for (const name of credentials[group]?.split(" ") ?? [])
      for (const written of [
        name,
        name.toLowerCase(),
        name.toUpperCase(),
        ` ${name}`,
        `${name} `,
        `${name}\n`,
      ])
        for (const pattern of ["*", written, name, `${name.slice(0, 3)}*`, `*${name.slice(-3)}`]) {
          const env = { [written]: "x", [name]: "x", [ALLOW_ENV]: pattern };
          expect(readVariable(written, env), written).toBeUndefined();
          expect(formatMissingVariable(written, env)).toContain("itself is never used");
        }
  });

  it("is a value for files when the caller passes it as one", () => {
    for (const name of all) expect(readVariable(name, { [chooseVariableFor(name)]: "x" })).toBe("x");
  });

  it("is not suspected in ordinary names", () => {
    for (const name of [
      "REGION",
      "API_KEY",
      "SHOP_TOKEN",
      "CIRCUS",
      "AWSOME",
      "OSLO",
      "DOCKERFILE_PATH",
      "GITTER",
      "TFOO",
    ])
      expect(readVariable(name, parseAllowed([name], { [name]: "x" })), name).toBe("x");
  });
});

describe("the message about a missing variable", () => {
  it.each([
    [
      "A",
      {},
      "WORKSPACE_VAR_A is not set: set this environment variable before you run the command, or add --allow-env A to use A itself",
    ],
    [
      "A",
      { A: "x" },
      "WORKSPACE_VAR_A is not set: set this environment variable before you run the command, or add --allow-env A to use A itself",
    ],
    [
      "A",
      { WORKSPACE_VAR_A: "" },
      "WORKSPACE_VAR_A is empty: set this environment variable before you run the command",
    ],
    [
      "A",
      { [ALLOW_ENV]: "A" },
      "neither WORKSPACE_VAR_A nor A is set: set one of them before running the command",
    ],
    [
      "A",
      { [ALLOW_ENV]: "A", A: "" },
      "A is empty: set this environment variable before you run the command",
    ],
    [
      "CI_JOB_TOKEN",
      { CI_JOB_TOKEN: "x" },
      "WORKSPACE_VAR_CI_JOB_TOKEN is not set (CI_JOB_TOKEN itself is never used, because it may contain a credential of the run): set this environment variable before you run the command",
    ],
    [
      "WORKSPACE_VAR_A",
      {},
      "WORKSPACE_VAR_WORKSPACE_VAR_A is not set: write ${env:A} to read WORKSPACE_VAR_A",
    ],
  ])("%s in %j", (name, env, message) => {
    expect(formatMissingVariable(name, env)).toBe(message);
  });
});

describe("a fleet file may set", () => {
  const refused = (to: string, from: string) => {
    try {
      refuseMapping(to, from);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ["WORKSPACE_VAR_DEPLOY_TOKEN", "WORKSPACE_VAR_EU_DEPLOY_TOKEN"],
    ["PULUMI_CONFIG_PASSPHRASE", "EU_PULUMI_CONFIG_PASSPHRASE"],
    ["AWS_PROFILE", "AWS_PROFILE_EU"],
    ["WORKSPACE_AUTOMATION_TOKEN", "ACME_WORKSPACE_AUTOMATION_TOKEN"],
  ])("%s from %s", (to, from) => {
    expect(refused(to, from)).toBe("");
  });

  it.each([
    ["WORKSPACE_VAR_X", "CI_JOB_TOKEN", "begins with WORKSPACE_VAR_"],
    ["WORKSPACE_VAR_X", "EU_PULUMI_CONFIG_PASSPHRASE", "begins with WORKSPACE_VAR_"],
    [ALLOW_ENV, `EU_${ALLOW_ENV}`, "so only its caller may set it"],
    [
      "WORKSPACE_AUTOMATION_POLICY",
      "EU_WORKSPACE_AUTOMATION_POLICY",
      "remove the line, and add --policy to the command",
    ],
    [
      "workspace_automation_policy",
      "EU_workspace_automation_policy",
      "remove the line, and add --policy to the command",
    ],
    ["WORKSPACE_AUTOMATION_BASE_URL", "CI_COMMIT_TITLE", "such as EU_WORKSPACE_AUTOMATION_BASE_URL"],
    ["PULUMI_CONFIG_PASSPHRASE", "WORKSPACE_VAR_X", "such as EU_PULUMI_CONFIG_PASSPHRASE"],
    ["PULUMI_CONFIG_PASSPHRASE", "XPULUMI_CONFIG_PASSPHRASE", "such as EU_PULUMI_CONFIG_PASSPHRASE"],
    ["NODE_OPTIONS", "EU_NODE_OPTIONS", "set WORKSPACE_VAR_NODE_OPTIONS"],
    ["TOKEN", "CI_JOB_TOKEN", "set WORKSPACE_VAR_TOKEN"],
    ["PATH", "CI_COMMIT_TITLE", "set WORKSPACE_VAR_PATH"],
  ])("but not %s from %s", (to, from, message) => {
    expect(refused(to, from)).toContain(message);
  });
});

describe("a value of the stack's configuration", () => {
  const refused = (key: string) => {
    try {
      refuseConfiguration(key);
      return false;
    } catch {
      return true;
    }
  };

  it.each([
    "workspace-automation:token",
    "aws:secretKey",
    "azure-native:clientSecret",
    "gcp:credentials",
    "pulumi:x",
    "github:token",
  ])("%s is refused", (key) => expect(refused(key)).toBe(true));

  it.each([
    "token",
    "shop:token",
    "workspace-automation:password",
    "workspace-automation:connection",
    "awsome:token",
  ])("%s is not refused", (key) => expect(refused(key)).toBe(false));
});
