import { createDecipheriv, createCipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJournal } from "../../../../cli/engine/checkpoint/journal-file.js";
import { StepJournal } from "../../../../cli/engine/checkpoint/step-journal.js";
import { asSecret } from "../../../../diff/values.js";

const saltBytes = randomBytes(8);
const key = pbkdf2Sync("a passphrase", saltBytes, 1_000_000, 32, "sha256");
const salt = `v1:${saltBytes.toString("base64")}:${encrypted("pulumi")}`;

let folder: string;
let file: string;
let stateFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  file = join(folder, "journal", "dev.jsonl");
  stateFile = join(folder, "dev.json");
  const before = [{ urn: "urn:pulumi:dev::acme::Type::b", type: "Type", protect: true }];
  writeFileSync(stateFile, JSON.stringify({ checkpoint: { latest: { resources: before } } }));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (phrase = "a passphrase") =>
  new StepJournal({ file, stateFile, salt, env: { PULUMI_CONFIG_PASSPHRASE: phrase } });
const urn = "urn:pulumi:dev::acme::Type::a";
const creating = { op: "creating", urn, inputs: { name: "a" } } as const;

describe("the journal of a run", () => {
  it("begins with its first step, for its user alone, with what the program said of the object", async () => {
    const journal = open();
    const said = { parent: "p", dependencies: ["d"], propertyDependencies: {}, formerly: [] };
    journal.register(urn, { ...said, protect: true, retainOnDelete: false });
    expect(existsSync(file)).toBe(false);
    await journal.record(creating);
    await journal.record({ op: "created", urn, id: "1", outputs: { name: "a" } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { header, lines } = readJournal(file) ?? {};
    expect(header).toMatchObject({ salt, owner: { pid: process.pid } });
    expect(lines).toMatchObject([
      { ...creating, registered: said },
      { op: "created", id: "1" },
    ]);
  });

  it("records what the program says of other objects only where it differs from the state", async () => {
    const journal = open();
    const nothing = { parent: "p", dependencies: [], propertyDependencies: {}, retainOnDelete: false };
    const say = async (name: string, protect: boolean, formerly: string[] = []) => {
      const other = `urn:pulumi:dev::acme::Type::${name}`;
      journal.register(other, { ...nothing, protect, formerly });
      await journal.recordRegistered(other);
    };
    await say("b", true);
    await say("new", false);
    expect(existsSync(file)).toBe(false);
    await say("b", false);
    await say("c", false, [urn]);
    expect(readJournal(file)?.lines.map(({ op, urn: of }) => `${op} ${of.at(-1)}`)).toEqual([
      "registered b",
      "registered c",
    ]);
  });

  it("writes secrets at any depth as Pulumi encrypts them, and nowhere in clear", async () => {
    const journal = open();
    const values = { list: [{ password: asSecret("hunter2") }], map: asSecret({ a: "hunter2" }) };
    await journal.record({ ...creating, inputs: values });
    expect(readFileSync(file, "utf8")).not.toContain("hunter2");
    const { inputs } = readJournal(file)?.lines[0] as unknown as { inputs: typeof values };
    const [{ password } = { password: undefined }] = inputs.list;
    expect(Object.keys(password as object)).toEqual(
      Object.keys(asSecret("") as object).with(1, "ciphertext"),
    );
    expect(decrypted(password)).toBe('"hunter2"');
    expect(decrypted(inputs.map)).toBe('{"a":"hunter2"}');
  });

  it("is removed once the engine has written the state, and stays until then", async () => {
    const journal = open();
    await journal.record(creating);
    expect(journal.end(false)).toBe(false);
    expect(journal.end(true)).toBe(false);
    expect(existsSync(file)).toBe(true);
    writeFileSync(stateFile, "after");
    expect(journal.end(false)).toBe(false);
    expect(existsSync(file)).toBe(true);
    expect(journal.end(true)).toBe(true);
    await journal.record(creating);
    expect(existsSync(file)).toBe(false);
  });

  it("lets nothing more begin when it cannot be written", async () => {
    const journal = open();
    mkdirSync(file);
    await journal.record(creating);
    expect(() => journal.ensureWritable()).toThrow(
      /cannot be written \(.*\), so no further operation is started.*--checkpoint every/,
    );
    const other = open("another passphrase");
    await other.record({ ...creating, inputs: { password: asSecret("hunter2") } });
    expect(() => other.ensureWritable()).toThrow("cannot be written");
  });

  it("is read without the line that a kill cut off", async () => {
    const journal = open();
    await journal.record(creating);
    appendFileSync(file, '{"op":"created","urn":"urn:pu');
    expect(readJournal(file)?.lines).toMatchObject([{ op: "creating" }]);
    writeFileSync(file, '{"run":');
    expect(readJournal(file)).toBeUndefined();
  });
});

function encrypted(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const bytes = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${bytes.toString("base64")}`;
}

function decrypted(value: unknown): string {
  const [version, nonce = "", text = ""] = (value as { ciphertext: string }).ciphertext.split(":");
  expect(version).toBe("v1");
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
}
