/** Plays with addresses of a state: in each place of an address where a credential can be, and each text about it. */
import { inspect } from "node:util";
import { hideAddress } from "../../../automation/stack/pulumi.js";
import { parseFleet } from "../../../cli/commands/fleet/fleet-file.js";
import { openBucket } from "../../../recovery/open-bucket.js";
import { chooseBackend } from "../../../trust/backend.js";
import { takeProjectSettings } from "../../../trust/project.js";
import { StateAddress } from "../../../trust/state-address.js";
import { type Play, Said, secrets } from "./judge.js";

export const ADDRESS = "address of a state";

const secret = secrets.text("the address of a state");

/** Texts in which a secret can be a part of an address, also unescaped, as people paste them. */
const PASSWORDS = [
  secret,
  `a/${secret}`,
  `a@${secret}`,
  `a?${secret}`,
  `a#${secret}`,
  `a%2F${secret}`,
  `a:${secret}`,
];
const SCHEMES = ["postgres", "https", "http", "s3", "azblob", "gs", "postgresql"];
const SETTINGS = ["password", "sas", "sig", "token", "x"];

function* listAddresses(): Generator<readonly [what: string, whole: string]> {
  for (const scheme of SCHEMES) {
    for (const [at, password] of PASSWORDS.entries()) {
      yield [`${scheme} with password ${at}`, `${scheme}://ann:${password}@db.example.com/states`];
      yield [
        `${scheme} with password ${at} and settings`,
        `${scheme}://ann:${password}@db.example.com/s?region=eu`,
      ];
    }
    yield [`${scheme} with a secret user`, `${scheme}://${secret}@db.example.com`];
    for (const name of SETTINGS)
      yield [`${scheme} with setting ${name}`, `${scheme}://bucket/states?region=eu&${name}=${secret}`];
  }
}

type Teller = (address: StateAddress) => string | Promise<string>;

/** Everything that says something about an address. */
const tellers: Readonly<Record<string, Teller>> = {
  "as a text": String,
  "as JSON": (address) => JSON.stringify({ deep: [address] }),
  "as a debugger shows it": (address) => inspect({ address }, { showHidden: true, depth: 9 }),
  "in the error about a project": (address) => {
    chooseBackend({
      ...{ environment: undefined, project: address, login: undefined, accounts: [], hasToken: false },
      ...{ file: "Pulumi.yaml", root: "/shop", checkout: "/shop" },
    });
    return "";
  },
  "in the settings of a project": ({ whole }) =>
    JSON.stringify(takeProjectSettings({ name: "shop", backend: { url: whole } })),
  "in the entries of a fleet": ({ whole }) => {
    const text = `version: 1\nworkspaces:\n  us: { backend: ${JSON.stringify(whole)} }\n`;
    return JSON.stringify(parseFleet("/shop/fleet.yaml", text).entries);
  },
  "in the error of a store": async (address) => {
    // Nothing is requested yet: a store is opened by its address and its keys.
    const opened = await openBucket(address, {}).catch((error: Error) => error);
    return opened instanceof Error ? opened.message : opened.name;
  },
  "in a message of Pulumi": ({ whole }) =>
    hideAddress(`error: unable to open ${JSON.stringify(whole)}`, { PULUMI_BACKEND_URL: whole }),
  "in a message with a part of it": ({ whole }) =>
    hideAddress(`authentication failed: ${secret}`, { PULUMI_BACKEND_URL: whole }),
};

/** @param told what is said about an address */
export function* addressPlays(told: typeof tellers = tellers): Generator<Play> {
  for (const [what, whole] of listAddresses())
    for (const [where, tell] of Object.entries(told))
      yield {
        ...{ kind: ADDRESS, title: `${what} ${where}`, expected: true },
        act: async () => new Said([await tell(new StateAddress(whole))], true),
      };
}
