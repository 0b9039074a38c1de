/**
 * Encrypts secrets the way Pulumi does with a passphrase, so that the state can contain values of the journal unchanged.
 * @see https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/config/crypt.go
 */
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { isSecret } from "../../../diff/values.js";

const ITERATIONS = 1_000_000;
const TAG_BYTES = 16;

export type Encrypt = (text: string) => string;

/**
 * @param salt `encryptionsalt` of the stack's settings: `v1:<salt>:` and a text encrypted with the key, which checks the passphrase
 * @throws {Error} when the passphrase is missing or wrong
 */
export async function encryption(salt: string, env: Readonly<Record<string, string>>): Promise<Encrypt> {
  const [, salted = "", , nonce = "", check = ""] = salt.split(":");
  const key = await promisify(pbkdf2)(
    passphrase(env),
    Buffer.from(salted, "base64"),
    ITERATIONS,
    32,
    "sha256",
  );
  const bytes = Buffer.from(check, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  decipher.update(bytes.subarray(0, -TAG_BYTES));
  decipher.final();
  return (text) => {
    const fresh = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, fresh);
    const parts = [cipher.update(text, "utf8"), cipher.final()];
    const encrypted = Buffer.concat([...parts, cipher.getAuthTag()]);
    return `v1:${fresh.toString("base64")}:${encrypted.toString("base64")}`;
  };
}

/** Looks for it where Pulumi does. */
function passphrase(env: Readonly<Record<string, string>>): string {
  const { PULUMI_CONFIG_PASSPHRASE: phrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (phrase !== undefined) return phrase;
  if (!file) throw new Error("there is no passphrase");
  return readFileSync(file, "utf8").trim();
}

/** Encrypts each marked secret, at any depth, into its form in a state. */
export function withEncrypted(value: unknown, encrypt: Encrypt): unknown {
  if (isSecret(value)) {
    const { value: plain, ...mark } = value;
    return { ...mark, ciphertext: encrypt(JSON.stringify(plain)) };
  }
  if (Array.isArray(value)) return value.map((item) => withEncrypted(item, encrypt));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withEncrypted(inner, encrypt)]),
  );
}
