/**
 * Reads the journals of releases before 0.2, which contained each step with its outcome, as intents. The service tells what became of
 * them, so their values are not needed.
 */
import { hasSecret } from "../diff/values.js";
import type { IntentLine } from "./intents.js";
import { intentKey, type RegisteredOptions } from "./journal.js";

interface Step {
  readonly op: "creating" | "created" | "failed" | "updated" | "deleted" | "registered";
  readonly at: string;
  readonly urn: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly registered?: RegisteredOptions;
}

/** Whether a file of that format begins with this line. */
export function isEarlier(line: unknown): boolean {
  return typeof line === "object" && line !== null && "state" in line && "salt" in line;
}

/** @param lines those after the first one, which named the state at the start */
export function fromSteps(lines: readonly unknown[]): IntentLine[] {
  return (lines as readonly Step[]).flatMap(
    ({ op, at, urn, id = "", inputs = {}, registered }): IntentLine[] => {
      const type = urn.split("::")[2]?.split(":").at(-1) ?? "";
      const subject = { type, address: "", key: intentKey(urn), at: Date.parse(at) };
      switch (op) {
        case "creating":
          return [{ ...subject, creation: { urn, ...withoutSecrets(inputs), options: registered } }];
        case "created":
          return [{ made: subject.key, id }];
        case "failed":
          return [{ closed: subject.key }];
        case "updated":
        case "deleted": {
          const change = { op: op === "updated" ? "update" : "delete", urn, id } as const;
          return [{ ...subject, key: intentKey(op, urn, id), change }];
        }
        case "registered":
          return [];
      }
    },
  );
}

/** They are encrypted with a passphrase that may have changed since. */
function withoutSecrets(values: Readonly<Record<string, unknown>>) {
  const { __provider, ...args } = values;
  const secrets = Object.keys(args).filter((name) => hasSecret(args[name]));
  const inputs = Object.entries(args).filter(([name]) => !secrets.includes(name));
  return { inputs: Object.fromEntries(inputs), secrets };
}
