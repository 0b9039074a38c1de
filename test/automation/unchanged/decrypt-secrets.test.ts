/** Tests that secrets are decrypted as Pulumi has encrypted them. The texts are those of a state that Pulumi 3.259.0 wrote. */
import { expect, it } from "vitest";
import { openSecrets } from "../../../automation/unchanged/decrypt-secrets.js";
import type { PlainEntry, PlainState } from "../../../automation/unchanged/plain-state.js";
import { asSecret } from "../../../diff/values.js";

const salt = "v1:YQpuw4x+9Mk=:v1:gaggquOQkRbf80Vp:ZE24sdbrQ2xlyjUGvFVR+YMLXjj9qQ==";
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:JslQ8sG/8284hMTQ:iOuwoG2oJlzN+MT/8ow38CdRoYSV7h56jb73EsMoAujQ4+M5w4o1",
};
const stateOf = (
  inputs: PlainEntry["inputs"],
  secretsProvider: unknown = { type: "passphrase", state: { salt } },
) => ({ objects: [{ inputs, outputs: {} }], secretsProvider }) as unknown as PlainState;
const bench = () => "bench";

it("decrypts the secrets of a state", async () => {
  const [object] = await openSecrets(stateOf({ key: "TOKEN", list: [secret] }), bench);
  expect(object?.inputs).toEqual({ key: "TOKEN", list: [asSecret("deploy-token-in-clear")] });
});

it("derives no key where nothing is encrypted", async () => {
  const state = stateOf({ key: "TOKEN" });
  expect(await openSecrets(state, () => expect.fail("nobody needs the passphrase"))).toEqual(state.objects);
});

it.each<[string, PlainState, () => string | undefined]>([
  ["another passphrase", stateOf({ secret }), () => "another"],
  ["no passphrase", stateOf({ secret }), () => undefined],
  [
    "a changed text",
    stateOf({ secret: { ...secret, ciphertext: secret.ciphertext.replace("iOuw", "iOux") } }),
    bench,
  ],
  ["a file in the place of a secret", stateOf({ secret: { ...secret, ciphertext: undefined } }), bench],
  ["another secrets provider", stateOf({}, { type: "cloud", state: { url: "awskms://alias/key" } }), bench],
  ["no secrets provider", stateOf({}, null), bench],
])("leaves %s to Pulumi", async (_, state, passphrase) => {
  await expect(openSecrets(state, passphrase)).rejects.toThrow();
});
