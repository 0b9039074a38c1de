/** Tests trust/project.ts. */
import { expect, it } from "vitest";
import {
  hasFixedAddress,
  refuseEnvironments,
  refuseSecretsProvider,
  takeProjectSettings,
  takeStackSettings,
} from "../../trust/project.js";

it("takes the name, the configuration, the folder of the stacks and the backend of a project, and nothing else", () => {
  const content = {
    name: "shop",
    runtime: { name: "nodejs", options: { nodeargs: "--require ./theirs.cjs" } },
    main: "./theirs",
    plugins: { providers: [{ name: "pulumi-nodejs", path: "./theirs" }] },
    packages: { command: "./theirs" },
    options: { refresh: "always" },
    backend: { url: "file://./state", more: 1 },
    config: { "shop:region": "eu", "pulumi:disable-default-providers": ["*"] },
    stackConfigDir: "stacks",
  };
  const { backendUrl, ...rest } = takeProjectSettings(content);
  expect(rest).toEqual({ name: "shop", config: { "shop:region": "eu" }, stackConfigDir: "stacks" });
  expect(backendUrl?.whole).toBe("file://./state");
});

it.each([undefined, null, 1, "text", [], { name: 1, backend: "file:///", config: [] }])(
  "takes nothing of a project whose content is %j",
  (content) => {
    const nothing = { name: undefined, config: {}, stackConfigDir: undefined, backendUrl: undefined };
    expect(takeProjectSettings(content)).toEqual(nothing);
  },
);

it("takes configuration, encryption and named environments of a stack", () => {
  const content = {
    config: { "shop:region": "eu", "pulumi:tags": {} },
    encryptionsalt: "v1:salt",
    secretsprovider: "passphrase",
    environment: ["shop/prod"],
    theirs: true,
  };
  expect(takeStackSettings(content, "Pulumi.us.yaml")).toEqual({
    config: { "shop:region": "eu" },
    encryptionsalt: "v1:salt",
    secretsprovider: "passphrase",
    environment: ["shop/prod"],
  });
});

it("refuses an environment that is defined in a stack's file", () => {
  const environment = { values: { environmentVariables: { NODE_OPTIONS: "--require ./theirs.cjs" } } };
  expect(() => takeStackSettings({ environment }, "Pulumi.us.yaml")).toThrow(/defines an environment/);
  expect(() => takeStackSettings({ environment: [{ name: "a" }] }, "Pulumi.us.yaml")).toThrow();
});

it("refuses an environment that the caller has not allowed", () => {
  const settings = { config: {}, environment: ["shop/dev", "shop/prod"] };
  const allow =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);
  expect(() => refuseEnvironments(settings, "f", allow("esc:shop/dev"))).toThrow(
    /--allow-env esc:shop\/prod/,
  );
  refuseEnvironments(settings, "f", allow("esc:shop/dev", "esc:shop/prod"));
});

it.each([
  "passphrase",
  "awskms://alias/pulumi?region=us-east-1",
  "awskms://1234abcd-12ab-34cd-56ef-1234567890ab?region=us-east-1&awssdk=v2&context_team=a",
  "awskms:///arn:aws:kms:us-east-1:111122223333:key/1234abcd?region=us-east-1",
  "gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k",
  "hashivault://mykey",
])("knows that %s can reach no other address", (provider) => {
  expect(hasFixedAddress(provider)).toBe(true);
});

it.each([
  "azurekeyvault://theirs.vault.azure.net/keys/k",
  "awskms://alias/a?endpoint=https://theirs.example.com",
  "awskms://alias/a?region=us-east-1&endpoint=https%3A%2F%2Ftheirs.example.com",
  "awskms://alias/a?region=us-east-1&profile=other",
  "awskms://alias/a?region=theirs.example.com/",
  "awskms://alias/a?region=a#b",
  "gcpkms://projects/p?endpoint=theirs.example.com",
  "hashivault://k?address=https://theirs.example.com",
  "base64key://c2VjcmV0",
  "https://theirs.example.com",
  "passphrase ",
  "\npassphrase",
  "",
])("refuses the secrets provider %j of a checkout, unless a trusted state uses it", (provider) => {
  expect(() => refuseSecretsProvider(provider, "Pulumi.us.yaml")).toThrow(
    /the secrets provider .* is not used/,
  );
  refuseSecretsProvider(provider, "Pulumi.us.yaml", provider);
});
