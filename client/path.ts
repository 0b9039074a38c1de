/** Paths of requests, with their values escaped. */
import { ServiceError } from "./errors.js";

/**
 * A path with its values escaped: path`/workspaces/${domain}/groups/${id}`. A value that would change the path's
 * shape (empty, "." or "..") is refused before anything is sent.
 */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce(
    (done, part, i) => done + encodeSegment(values[i - 1] ?? "", parts[i - 1] ?? "") + part,
  );
}

/** A path in a repository, with each part escaped but not the slashes. */
export function encodeFilePath(file: string): string {
  const parts = file.split("/").filter((part) => part !== "");
  return parts.map((part) => encodeSegment(part, "contents/")).join("/");
}

/** One part of a path, escaped. */
export function encodeSegment(value: string | number, before: string): string {
  const text = String(value);
  if (text === "" || text === "." || text === "..") {
    throw new ServiceError({
      code: "invalid-value",
      what: `${JSON.stringify(text)} is not a name or id that an address can contain after ${before}`,
      remedy: "Write the name or id of the object, which is neither empty nor made of dots.",
    });
  }
  return encodeURIComponent(text);
}

type QueryValue = string | number | boolean | null | undefined;

/** "?a=1&b=2", or "" when nothing is set. */
export function queryString(query: object | undefined): string {
  if (!query) return "";
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query) as [string, QueryValue][]) {
    if (value !== undefined && value !== null) params.append(key, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : "";
}
