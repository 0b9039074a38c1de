/** Decrypts the secrets of a state with its passphrase, as Pulumi does. */
import { createDecipheriv, pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { asSecret, hasSecret, isPlain, isSecret } from "../../diff/values.js";
import { Doubt } from "./doubt.js";
import type { PlainEntry, PlainState } from "./plain-state.js";

/** Pulumi's rounds, and what it encrypts with each key to recognize it. */
const [ROUNDS, KNOWN] = [1_000_000, "pulumi"];

/**
 * The objects of a state with their secrets. Without any, no key is derived.
 * @throws {Doubt} when they are not encrypted with this passphrase
 */
export async function openSecrets(
  { objects, secretsProvider }: PlainState,
  passphrase: () => string | undefined,
): Promise<readonly PlainEntry[]> {
  const { type, state } = (secretsProvider ?? {}) as {
    readonly type?: unknown;
    readonly state?: { readonly salt?: unknown };
  };
  if (type !== "passphrase" || typeof state?.salt !== "string")
    throw new Doubt("another provider encrypts the secrets");
  if (!objects.some(({ inputs, outputs }) => hasSecret([inputs, outputs]))) return objects;
  const key = await deriveKey(passphrase(), state.salt);
  const open = (value: unknown) => decryptAll(value, key) as PlainEntry["inputs"];
  return objects.map((one) => ({ ...one, inputs: open(one.inputs), outputs: open(one.outputs) }));
}

async function deriveKey(passphrase: string | undefined, salt: string): Promise<Buffer> {
  const [version, bytes = "", ...known] = salt.split(":");
  if (passphrase === undefined || version !== "v1") throw new Doubt("there is no passphrase");
  const key = await promisify(pbkdf2)(passphrase, Buffer.from(bytes, "base64"), ROUNDS, 32, "sha256");
  if (decrypt(known.join(":"), key) !== KNOWN) throw new Doubt("the passphrase is another");
  return key;
}

function decryptAll(value: unknown, key: Buffer): unknown {
  if (isSecret(value)) {
    const { ciphertext } = value as { readonly ciphertext?: unknown };
    if (typeof ciphertext !== "string") throw new Doubt("a special value");
    return asSecret(JSON.parse(decrypt(ciphertext, key)));
  }
  if (Array.isArray(value)) return value.map((item) => decryptAll(item, key));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, decryptAll(inner, key)]));
}

/** @throws {Error} when it was encrypted with another key */
function decrypt(text: string, key: Buffer): string {
  const [, nonce = "", data = ""] = text.split(":");
  const bytes = Buffer.from(data, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
}
