/** Plays with a plan that was approved: what the file says in plaintext is changed afterwards, next to what looks like a secret. */
import { AutomationError } from "../../../automation/errors.js";
import { fingerprintHashes, hashPlan } from "../../../automation/policy/plan-fingerprint.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import { done, SECRET, told } from "../../automation/events.js";
import { scope } from "../../cli/commands/preview/support.js";
import { forge } from "../forgery.js";
import { type Play, secrets } from "./judge.js";

export const APPROVAL = "approved plan";

const secret = secrets.text("plaintext of an approved plan");

/** What the author of a change has written, and what the engine masks of it as a whole. */
const OBJECTS: Readonly<
  Record<string, { readonly type: string; readonly args: Fields; readonly masked: string }>
> = {
  commands: {
    ...{ type: "Action", masked: "executeCommands" },
    args: { type: "BUILD", executeCommands: [`# password=${secret}`, "make", `TOKEN=${secret} make deploy`] },
  },
  "passed-through data": {
    ...{ type: "Action", masked: "fields" },
    args: {
      type: "NEW",
      fields: { image: "node:24", env: [{ name: "TOKEN", value: secret }], run: ["make"] },
    },
  },
  services: {
    ...{ type: "Action", masked: "services" },
    args: {
      type: "BUILD",
      services: [{ type: "DB", version: "16", login: { user: "ann", password: secret } }],
    },
  },
  "a variable that is named like a secret": {
    ...{ type: "Variable", masked: "value" },
    args: { key: "API_TOKEN", value: secret },
  },
  "a description": {
    ...{ type: "Group", masked: "description" },
    args: { name: "QA", description: `Who tests. password=${secret}` },
  },
};

/** Returns the fingerprint that somebody approves. */
export type Approve = (type: string, args: Fields, masked: string) => string;

const approve: Approve = (type, args, masked) => {
  const shown = { ...args, [masked]: SECRET };
  const plan = told([
    done("update", [type, "one"], { ...shown, enabled: false }, { ...shown, enabled: true }),
  ]);
  const declared = [{ name: "one", definition: getDefinition(type), args, secrets: [], references: {} }];
  // With a passphrase, all of the plaintext counts in any case.
  const of = { ...scope, passphrase: undefined, declared };
  return fingerprintHashes(hashPlan(plan, of).values(), of);
};

/** @param approved computes the fingerprint of a plan */
export function* approvalPlays(approved: Approve = approve): Generator<Play> {
  for (const [what, { type, args, masked }] of Object.entries(OBJECTS)) {
    const given = approved(type, args, masked);
    const play = (title: string, forged: Fields, expected: unknown): Play => ({
      ...{ kind: APPROVAL, title: `${what}: ${title}`, expected },
      act: () => {
        if (approved(type, forged, masked) === given) return "applied";
        throw new AutomationError("another plan was approved", "preview again");
      },
    });
    const { [masked]: plaintext, ...others } = args;
    yield play("as it was approved", structuredClone(args), "applied");
    for (const forgery of forge({ [masked]: plaintext }))
      yield play(forgery.what, { ...others, ...(forgery.value as Fields) }, "refused");
  }
}
