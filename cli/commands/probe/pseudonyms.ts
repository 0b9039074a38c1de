/** Replaces names, ids, secrets and free texts, so that recorded exchanges tell nothing about a workspace. Equal values stay equal. */
import { z } from "zod";
import { definitions, listApiKeys } from "../../../provider/index.js";
import { UNUSED_ID, SCHEDULES, UNKNOWN_PATH } from "./send-requests.js";

/** The fields of responses that are no arguments. Every other field may be named by a user. */
const FIELDS = [
  ...["id", "url", "html_url", "name", "display_name", "title", "email", "avatar_url", "admin", "status"],
  ...["workspace_owner", "domain", "owner_id", "frozen", "create_date", "created_by", "creator", "author"],
  ...["workspaces", "projects", "pipelines", "actions", "members", "groups", "permission_sets", "variables"],
  ...["integrations", "branches", "tags", "pull_requests", "commits", "contents", "executions", "keys"],
  ...["emails", "permission_set", "project", "pipeline", "action", "integration", "type", "key", "value"],
  ...["encrypted", "settable", "ssh_key", "description", "last_execution_status", "after_action_id"],
  ...["last_execution_revision", "repository_size", "size", "http_repository", "ssh_repository"],
  ...["default_branch", "commit", "revision", "message", "content", "path", "author_date", "commit_date"],
  ...["committer", "ref_name", "ref_type", "cron", "start_date", "delay", "paused", "run_always", "number"],
  ...["workspaces_url", "default", "total", "stats", "files", "parents", "encoding", "content_type", "patch"],
  ...["additions", "deletions", "file_name", "content_url", "git_host_html_url", "ahead", "behind"],
];
const WORDS = new Set([
  ...["workspaces", "projects", "pipelines", "actions", "members", "groups", "permissions", "variables"],
  ...["repository", "branches", "tags", "pulls", "commits", "comparison", "contents", "executions", "user"],
  ...["emails", "keys", "integrations", "sandboxes", "oauth2", "register"],
]);
/** Words of a path after which another word follows. */
const WITHOUT_VALUE = ["user", "repository", "oauth2"];
/** Parts of a query that name nothing. */
const PLAIN_QUERY = ["page", "per_page", "sort_by", "sort_direction", "trigger_time", "membership", "status"];
/** Beginnings of messages that decide something, and what is recorded of them. */
const MESSAGES = [
  [/^Invalid url/, "Invalid url"],
  [/^API is disabled/, "API is disabled"],
  [/^Rate limit exceeded\./, "Rate limit exceeded."],
  [/already (?:exists|taken|in use|a member)|must be unique|not unique/i, "It already exists."],
  [/\bcron\b/, "cron"],
] as const;
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/;

/** The names of fields, and the values that each of them may have by the specification. */
function collectKnown() {
  const fields = new Set(FIELDS);
  const values = new Map<string, Set<unknown>>();
  for (const definition of definitions) {
    for (const { apiName } of Object.values(definition.outputs)) if (apiName) fields.add(apiName);
    const shapes = [
      definition.args.shape,
      ...Object.values(definition.variants?.of ?? {}).map(({ args }) => args),
    ];
    for (const [name, schema] of shapes.flatMap((shape) => Object.entries(shape)))
      for (const key of listApiKeys(definition, name, undefined)) {
        fields.add(key);
        const known = values.get(key) ?? new Set();
        for (const value of listChoices(schema as z.ZodType)) known.add(value);
        values.set(key, known);
      }
  }
  return { fields, values };
}

function listChoices(schema: z.ZodType): readonly unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return listChoices(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return listChoices(schema.element as z.ZodType);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => listChoices(option as z.ZodType));
  if (schema instanceof z.ZodEnum) return schema.options;
  return schema instanceof z.ZodLiteral ? [...schema.values] : [];
}

export class Pseudonyms {
  private readonly known = collectKnown();
  private readonly texts = new Map<string, number>();
  private readonly numbers = new Map<string, number>([[String(UNUSED_ID), UNUSED_ID]]);
  private readonly fields = new Map<string, string>();

  /** The same replacement wherever a text occurs: in a path, a query or a body. */
  text(text: string): string {
    if (["", UNKNOWN_PATH, ...SCHEDULES].includes(text)) return text;
    if (/^\d+$/.test(text)) return String(this.number(text));
    if (DATE.test(text)) return "2020-01-01T00:00:00Z";
    if (text.startsWith("secure!")) return `secure!${this.text(text.slice("secure!".length))}`;
    const number = this.texts.get(text) ?? this.texts.size + 1;
    this.texts.set(text, number);
    if (/^https?:/.test(text)) return `https://host.example/text-${number}`;
    return /^\S+@\S+$/.test(text) ? `person-${number}@example.com` : `text-${number}`;
  }

  /** A path with its query. */
  target(target: string): string {
    const [path = "", query] = target.split("?");
    let isWord = true;
    const parts = path.split("/").map((part, index) => {
      if (index === 0 || part === "") return part;
      const isKept = isWord && WORDS.has(part);
      isWord = isWord ? WITHOUT_VALUE.includes(part) : true;
      return isKept ? part : encodeURIComponent(this.text(decodeURIComponent(part)));
    });
    if (query === undefined) return parts.join("/");
    const known = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
      name,
      PLAIN_QUERY.includes(name) ? value : this.text(value),
    ]);
    return `${parts.join("/")}?${new URLSearchParams(known).toString()}`;
  }

  /** A response. Of an error, only what decides something is left. */
  response(body: unknown, status: number): unknown {
    if (status < 400) return this.value(body, "");
    const { errors } = (body ?? {}) as { errors?: unknown };
    const messages = Array.isArray(errors)
      ? errors.map((error: unknown) => String((error as { message?: unknown } | null)?.message))
      : [];
    return { errors: messages.map((message) => ({ message: this.message(message) })) };
  }

  /** A value of a response. @param key the field in which it is; undefined in a field that the specification does not name */
  private value(value: unknown, key: string | undefined): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item, key));
    if (typeof value === "number")
      return key === undefined || key === "number" || /(^|_)ids?$/.test(key) ? this.number(value) : value;
    if (typeof value === "string") {
      if (key !== undefined && this.known.values.get(key)?.has(value)) return value;
      return this.text(value);
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        const known = this.known.fields.has(name);
        return [known ? name : this.field(name), this.value(item, known ? name : undefined)];
      }),
    );
  }

  private field(name: string): string {
    const field = this.fields.get(name) ?? `field_${this.fields.size + 1}`;
    this.fields.set(name, field);
    return field;
  }

  private number(value: number | string): number {
    const key = String(value);
    const number = this.numbers.get(key) ?? 1000 + this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }

  private message(message: string): string {
    const field = /^Value of '(\w+)' cannot be empty/.exec(message)?.[1];
    if (field !== undefined && this.known.fields.has(field)) return `Value of '${field}' cannot be empty`;
    return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? "text";
  }
}
