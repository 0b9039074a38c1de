/** Which texts of a request no message may repeat. */

/** The secrets of a request: its token, the values of an OAuth form, and a client's secret. */
export function listCredentialsIn(
  { form, basic = "" }: { form?: string; basic?: string | undefined },
  token: string | undefined,
): string[] {
  const open = ["grant_type", "client_id", "scope", "redirect_uri", "token_type_hint"];
  const values = [...new URLSearchParams(form ?? "")].filter(([name]) => !open.includes(name));
  const encoded = basic.slice("Basic ".length);
  const pair = Buffer.from(encoded, "base64").toString();
  const secret = pair.slice(pair.indexOf(":") + 1);
  const unescaped = new URLSearchParams(`secret=${secret}`).get("secret") ?? "";
  const all = [token ?? "", ...values.map(([, value]) => value), encoded, secret, unescaped];
  return all.filter((text) => text !== "");
}
