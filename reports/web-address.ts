/** Which addresses of objects a report links to. They are what the service returns, and a page or a tool follows them. */

/** Returns a web address without credentials; undefined for any other text. */
export function pickWebAddress(link: string | undefined): string | undefined {
  if (link === undefined || link.length > LONGEST || !URL.canParse(link) || /[\s\p{Cc}]/u.test(link))
    return undefined;
  const { protocol, username, password } = new URL(link);
  return /^https?:$/.test(protocol) && username === "" && password === "" ? link : undefined;
}

const LONGEST = 2048;
