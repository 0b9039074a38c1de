/** Tests which tokens are recognized by their form. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIssuedSecrets, findTokens, looksSecret } from "../../../provider/index.js";

const seed = 20261127;
const repository = join(import.meta.dirname, "../../..");

/** The forms as gitleaks 8 and TruffleHog 3 describe them. Split, so that this file contains nothing that looks like a token. */
const published: readonly (readonly [issuer: string, ...parts: string[]])[] = [
  ["Adobe", "p8e", "-[a-z0-9]{32}"],
  ["Airtable", "pat", "[a-zA-Z0-9]{14}\\.[a-f0-9]{64}"],
  ["Alibaba Cloud", "LTAI", "[a-z0-9]{20}"],
  ["Anthropic", "sk-ant", "-(?:api03|admin01)-[a-zA-Z0-9_-]{93}AA"],
  ["Artifactory", "AKCp", "[A-Za-z0-9]{69}"],
  ["AWS", "(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z2-7]{16}"],
  ["AWS", "ABSK", "[A-Za-z0-9+/]{109,150}={0,2}"],
  ["Azure", "[a-zA-Z0-9_~.]{3}\\dQ", "~[a-zA-Z0-9_~.-]{31,34}"],
  ["ClickHouse", "4b1d", "[A-Za-z0-9]{38}"],
  ["Databricks", "dapi", "[a-f0-9]{32}(?:-\\d)?"],
  ["DigitalOcean", "do[opr]_v1", "_[a-f0-9]{64}"],
  ["Docker", "dckr_pat", "_[A-Za-z0-9_-]{27}"],
  ["Doppler", "dp\\.pt", "\\.[a-z0-9]{43}"],
  ["Dynatrace", "dt0c01", "\\.[a-z0-9]{24}\\.[a-z0-9]{64}"],
  ["GitHub", "gh[pousr]", "_[0-9a-zA-Z]{36}"],
  ["GitLab", "gl(?:pat|dt|ft|ffct|soat|rt)", "-[0-9a-zA-Z_-]{20}"],
  ["GitLab", "GR1348941", "[0-9a-zA-Z_-]{20}"],
  ["Google", "AIza", "[0-9a-zA-Z_-]{35}"],
  ["Google", "GOCSPX", "-[a-zA-Z0-9_-]{28}"],
  ["Grafana", "glsa", "_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"],
  ["Groq", "gsk", "_[a-zA-Z0-9]{52}"],
  ["HashiCorp", "[a-z0-9]{14}\\.atlasv1", "\\.[a-z0-9_=-]{60,70}"],
  ["HashiCorp", "hvs", "\\.[0-9a-zA-Z_-]{90,120}"],
  ["Heroku", "HRKU-AA", "[0-9a-zA-Z_-]{58}"],
  ["JSON web tokens", "eyJ[a-zA-Z0-9]{17,40}", "\\.eyJ[a-zA-Z0-9_-]{17,40}\\.[a-zA-Z0-9_-]{10,40}"],
  ["Mailgun", "key", "-[a-f0-9]{32}"],
  ["Notion", "ntn", "_[0-9]{11}[A-Za-z0-9]{35}"],
  ["Octopus Deploy", "API", "-[A-Z0-9]{26}"],
  ["OpenAI", "sk-(?:proj|svcacct|admin)", "-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{74}"],
  ["OpenShift", "sha256~", "[0-9a-zA-Z_-]{43}"],
  ["PlanetScale", "pscale_(?:tkn|pw)", "_[0-9a-zA-Z_=.-]{32,64}"],
  ["Postman", "PMAK", "-[a-f0-9]{24}-[a-f0-9]{34}"],
  ["Pulumi", "pul", "-[a-f0-9]{40}"],
  ["RubyGems", "rubygems", "_[a-f0-9]{48}"],
  ["SendGrid", "SG", "\\.[a-zA-Z0-9_-]{22}\\.[a-zA-Z0-9_-]{43}"],
  ["Sentry", "sntryu", "_[a-f0-9]{64}"],
  ["Slack", "xoxb", "-[0-9]{10,13}-[0-9]{10,13}-[a-zA-Z0-9]{24}"],
  ["SonarQube", "sq[upa]", "_[a-f0-9]{40}"],
  ["Stripe", "(?:sk|rk)_(?:test|live|prod)", "_[a-zA-Z0-9]{10,99}"],
  ["Telegram", "[0-9]{8,10}", ":AA[0-9A-Za-z_-]{33}"],
];

describe("a token is recognized", () => {
  it.each(published)("when it is of %s (%s...)", (issuer, ...parts) => {
    const form = fc.stringMatching(new RegExp(`^${parts.join("")}$`));
    for (const token of fc.sample(form, { numRuns: 5, seed })) {
      const text = `run --with "${token}" now`;
      expect(findTokens(text), `seed ${seed}`).toMatchObject([{ issuer, start: 12 }]);
      expect(looksSecret(text)).toBe(true);
      // Lint and export, with the end of the token: what follows it may be shown.
      expect(findIssuedSecrets(text)).toEqual([
        { start: 12, length: token.length, rule: `token: ${issuer}` },
      ]);
    }
  });

  it.each([
    ["curl -u", "bot:hunter22 https://example.com"],
    ["curl -fsS --user", "'bot:hunter22' https://example.com"],
    ["docker login registry.example.com -u bot -p", "hunter22"],
    ["sshpass -p", "hunter22 ssh deploy@example.com"],
  ])("when it is a password of %s", (command, rest) => {
    expect(looksSecret(`${command} ${rest}`)).toBe(true);
  });
});

describe("what is no token is not recognized", () => {
  it.each(["package-lock.json", "CHANGELOG.md", "docs/cli.md", "schema/workspace.schema.json"])(
    "%s",
    (file) => {
      expect(findTokens(readFileSync(join(repository, file), "utf8"))).toEqual([]);
    },
  );

  it.each([
    'curl -u "$DEPLOY_USER:$DEPLOY_PASSWORD" https://example.com',
    "curl --user-agent shop:v1.22 https://example.com",
    "echo $TOKEN | docker login registry.example.com -u bot --password-stdin",
    "docker login -u bot -p $TOKEN",
    'sshpass -p "$PASSWORD" ssh deploy@example.com',
    "$npm_package_config_deployment_target_region",
    "task-list-of-the-release-engineers-2026",
    "node:22@sha256:0f8fad5bd9cb469fa165708677289500f8fad5bd9cb469fa16570867728950e1",
    "key-of-the-cache-for-branch-main",
    "AROAEXAMPLEROLEIDOFA1",
  ])("%s", (text) => {
    expect(looksSecret(text)).toBe(false);
  });
});
