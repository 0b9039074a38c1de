const part = encodeURIComponent;

/** Path of the web view, beside the API. */
export const webPath = "/app";

/** An object's API address and web address. */
export interface Links {
  url: string;
  html_url: string;
}

/** Absolute addresses for `url` and `html_url`. */
export class Linker {
  /** @param origin Scheme, host and port. @param basePath Path below which the API lives, or "". */
  constructor(
    readonly origin: string,
    readonly basePath: string,
  ) {
    this.host = new URL(origin).hostname;
    this.api = origin + basePath;
    this.web = origin + webPath;
  }

  readonly host: string;
  /** Base address of the API. */
  readonly api: string;
  /** Base address of the web view. */
  readonly web: string;
  private lastDomain = "";
  private lastPart = "";

  /** The same path segments below the API and below the web view. */
  both(apiPath: string, webPagePath = apiPath): Links {
    return { url: this.api + apiPath, html_url: this.web + webPagePath };
  }

  /** @param path Below `/user`. A domain cannot begin with `-`, so the web path is free. */
  user(path = ""): Links {
    return this.both(`/user${path}`, `/-/user${path}`);
  }

  workspace(domain: string): Links {
    return this.both(`/workspaces/${part(domain)}`, `/${part(domain)}`);
  }

  inWorkspace(domain: string, ...segments: readonly (string | number)[]): Links {
    // The hottest lines of a list of a hundred objects: no arrays made on the way.
    let path = `/${domain === this.lastDomain ? this.lastPart : this.remember(domain)}`;
    for (const segment of segments) path += typeof segment === "number" ? `/${segment}` : `/${part(segment)}`;
    return { url: `${this.api}/workspaces${path}`, html_url: this.web + path };
  }

  private remember(domain: string): string {
    this.lastDomain = domain;
    this.lastPart = part(domain);
    return this.lastPart;
  }
}

/** A path of several segments, each encoded; slashes between them stay. */
export function encodePath(path: string): string {
  return path.split("/").map(part).join("/");
}
