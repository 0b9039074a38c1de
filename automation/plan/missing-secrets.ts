/** Secrets that a plan needs to create or change objects, and that this run cannot read. */
import { formatFirst, groupBy } from "../../text/lists.js";
import { type OpenedReference, openReference, type SecretReference } from "../../trust/references.js";
import { AutomationError } from "../errors.js";
import type { OpenStack } from "../stack/open-stack.js";
import type { PlannedObject } from "./planned-objects.js";

/** Why a secret is missing, and the logical names of the objects that need it. */
export interface MissingSecret {
  readonly reason: string;
  readonly objects: readonly string[];
}

const NEEDING: readonly PlannedObject["operation"][] = ["create", "adopt", "update", "replace"];

/** Finds them before the first request that writes: the provider itself would find each only when its turn comes. */
export function findMissingSecrets(
  objects: readonly PlannedObject[],
  { file, stack, io }: Pick<OpenStack, "file" | "stack" | "io">,
): MissingSecret[] {
  const read = createSecretReader({ stack, io });
  if (file.declared === undefined || read === undefined) return [];
  const changing = new Set(
    objects.filter(({ operation }) => NEEDING.includes(operation)).map(({ name }) => name),
  );
  const missing = file.declared.declarations
    .filter(({ name }) => changing.has(name))
    .flatMap(({ name, references }) =>
      Object.values(references)
        .flatMap((one) => one.references)
        .map(read)
        .flatMap((opened) => ("closed" in opened ? [{ name, reason: opened.closed }] : [])),
    );
  return [...groupBy(missing, ({ reason }) => reason)].map(([reason, of]) => ({
    reason,
    objects: [...new Set(of.map(({ name }) => name))],
  }));
}

/** Returns the function that reads the secrets of the present file; undefined where no file declares any. */
export function createSecretReader({
  stack: { program },
  io,
}: Pick<OpenStack, "stack" | "io">): ((reference: SecretReference) => OpenedReference) | undefined {
  if (program === undefined) return undefined;
  const rules = {
    // The references are those of the present file, which refuses them in names.
    isDeclared: () => true,
    identifies: false,
    env: io.env,
    config: (key: string) => program.config(key),
    file: (path: string) => program.references.file(path),
  };
  return (reference) => openReference(reference, rules);
}

/** Maximum number of objects to name for one secret. */
const NAMED = 8;

export function formatMissingSecret({ reason, objects }: MissingSecret): string {
  return `${formatFirst(objects, NAMED)}: ${reason}`;
}

export function createMissingSecretsError(missing: readonly MissingSecret[]): AutomationError {
  const lines = missing.map(formatMissingSecret);
  const text = lines.length === 1 ? ` ${lines.join("")}` : lines.map((line) => `\n  ${line}`).join("");
  return new AutomationError(
    `refused, nothing was changed, because a secret is missing:${text}`,
    missing.map(({ reason }) => reason),
    { code: "refused" },
  );
}
