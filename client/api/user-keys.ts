import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export const UserKey = wire({ ...links, id: z.int(), title: told<string>(), content: told<string>() });
export type UserKey = z.infer<typeof UserKey>;

export interface UserKeyCreate {
  /** The public key, one line. */
  content: string;
  title?: string;
}

const scopes = ["USER_KEY"];

/** Public SSH keys of the token's user (spec: Workspaces and user profile). Scope USER_KEY. They cannot be edited. */
export class UserKeys extends Area {
  /** GET /user/keys. */
  list(query?: PageQuery, options?: CallOptions): Listing<UserKey> {
    return this.http.list(
      UserKey,
      { path: "/user/keys", scopes, query, array: "keys", key: (k) => k.id },
      options,
    );
  }

  /** GET /user/keys/:key_id. Errors: not-found. */
  get(id: number, options?: CallOptions): Promise<UserKey> {
    return this.http.get(UserKey, { path: path`/user/keys/${id}`, scopes }, options);
  }

  /** POST /user/keys. Errors: invalid-value. Natural key: the key itself, or the title where lists hide it. */
  create(body: UserKeyCreate, options?: CreateOptions): Promise<UserKey> {
    const key = {
      what: `public key ${JSON.stringify(body.title ?? "")}`,
      candidates: (o: CallOptions) => this.list({}, o).toArray(),
      matches: (k: UserKey) => sameKey(k, body),
      id: (k: UserKey) => k.id,
      read: (k: UserKey, o: CallOptions) => this.get(k.id, o),
    };
    return this.http.create(UserKey, { path: "/user/keys", scopes, body }, key, options);
  }

  /** DELETE /user/keys/:key_id. */
  async delete(id: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: path`/user/keys/${id}`, scopes }, options);
  }
}

/** By kind and key material; the comment after them may be rewritten. */
function sameKey(listed: UserKey, body: UserKeyCreate): boolean | "maybe" {
  const material = (key: string) => key.trim().split(/\s+/).slice(0, 2).join(" ");
  if (listed.content != null) return material(listed.content) === material(body.content);
  return body.title !== undefined && listed.title !== body.title ? false : "maybe";
}
