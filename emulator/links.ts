/** Addresses of objects in the API and on the web pages. */
const part = encodeURIComponent;

/** Path of the web pages, next to the API. */
export const webPath = "/app";

/** Addresses of an object in the API and on the web pages. */
export interface Links {
  url: string;
  html_url: string;
}

/** Builds the absolute addresses of `url` and `html_url`. */
export class Linker {
  /**
   * @param origin Scheme, host and port.
   * @param basePath Path prefix of the API, or "".
   */
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
  /** Base address of the web pages. */
  readonly web: string;

  /** Returns the links of a path below the API and below the web pages. */
  both(apiPath: string, webPagePath = apiPath): Links {
    return { url: this.api + apiPath, html_url: this.web + webPagePath };
  }

  /** Returns links below `/user`. The web path cannot conflict with a domain, which cannot start with `-`. */
  user(path = ""): Links {
    return this.both(`/user${path}`, `/-/user${path}`);
  }

  inWorkspace(domain: string, ...segments: readonly (string | number)[]): Links {
    // Avoids arrays: this code runs for every object of a list.
    let path = `/${part(domain)}`;
    for (const segment of segments) path += typeof segment === "number" ? `/${segment}` : `/${part(segment)}`;
    return { url: `${this.api}/workspaces${path}`, html_url: this.web + path };
  }

  /** Returns links below a project. */
  inProject(
    { workspace, project }: { workspace: { domain: string }; project: { name: string } },
    ...segments: readonly (string | number)[]
  ): Links {
    return this.inWorkspace(workspace.domain, "projects", project.name, ...segments);
  }

  /** Returns the links of a route's path with these parameters. */
  ofRoute(path: string, params: Readonly<Record<string, string>>): Links {
    const filled = path.replaceAll(/:(\w+)(\*?)/g, (_whole, name: string, rest: string) => {
      const value = params[name] ?? "";
      if (name.endsWith("_id")) return String(Number(value));
      return rest === "" ? part(value) : encodePath(value);
    });
    const user = /^\/user(.*)/.exec(filled)?.[1];
    return user === undefined ? this.both(filled, filled.replace("/workspaces", "")) : this.user(user);
  }
}

/** Encodes each segment of a path and keeps the slashes between them. */
export function encodePath(path: string): string {
  return path.split("/").map(part).join("/");
}

/** Returns the host by which this machine reaches a listening address. */
export function formatHostInUrl(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
