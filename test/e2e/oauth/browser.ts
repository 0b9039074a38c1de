/** A browser without a window: follows redirects, keeps cookies, and fills in the forms of a consent page. */

const MOST_STEPS = 20;

/** Goes from a consent page to the redirect address, which it opens too. @returns the address */
export async function consent(page: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = page;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split(/=(.*)/s) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    const text = await response.text();
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      if (new URL(url).pathname !== "/callback") continue;
      // The answer comes only after the login.
      void fetch(url).catch(() => undefined);
      return new URL(url);
    }
    const [, action, fields = ""] = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(text) ?? [];
    if (action === undefined) throw new Error(`no form at ${url}: ${response.status} ${text.slice(0, 300)}`);
    url = new URL(action.replaceAll("&amp;", "&"), url).href;
    form = fillIn(fields);
  }
  throw new Error(`no redirect after ${MOST_STEPS} steps; now at ${url}`);
}

function fillIn(fields: string): URLSearchParams {
  const form = new URLSearchParams();
  // The first option of a list counts as chosen.
  for (const [, attributes = ""] of fields.matchAll(
    /<((?:input|button)[^>]*|select[^>]*>\s*<option[^>]*)>/g,
  )) {
    const name = /name="([^"]+)"/.exec(attributes)?.[1];
    if (name !== undefined && !form.has(name))
      form.set(name, /value="([^"]*)"/.exec(attributes)?.[1] ?? "ann");
  }
  return form;
}
