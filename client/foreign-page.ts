/** What a page says that something else than the service has responded with: a proxy, a firewall, a sign-on. */
import { maskTexts } from "./mask.js";
import { spellOut } from "./printable.js";

export const FOREIGN_RESPONSE = "a response that is not the service's";

export const FOREIGN_REMEDY =
  "A proxy, a firewall or another server has responded: check the base address, and HTTPS_PROXY and NO_PROXY.";

/** Characters of a page in which its title is searched for, and of a title that are shown. */
const HEAD = 20_000;
const SHOWN = 100;

/**
 * Names the title of a page, which often says who has answered, or under which number to ask. The rest may repeat the request.
 * @param secrets credentials of the request, which also a title may repeat
 */
export function describePage(text: string, secrets: readonly string[]): string {
  const [, title = ""] = /<title\b[^>]{0,200}>([^<]{1,1000})/i.exec(text.slice(0, HEAD)) ?? [];
  const shown = spellOut(maskTexts(title, secrets)).replace(/\s+/g, " ").trim();
  if (shown === "") return "";
  return `: a page with the title "${shown.length > SHOWN ? `${shown.slice(0, SHOWN)} ...` : shown}"`;
}

/** Explains a response that is not JSON. The parser's own error would quote the body. */
export function explainNoJson(text: string, secrets: readonly string[]): { what: string; remedy: string } {
  return /^\s*</.test(text)
    ? { what: FOREIGN_RESPONSE + describePage(text, secrets), remedy: FOREIGN_REMEDY }
    : {
        what: "the response is not JSON",
        remedy: "Check that the base address points to the service's API.",
      };
}
