/** Integrations of the current user. */
import { z } from "zod";
import { byId, byNumber, getOne, list } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export const Integration = apiObject({
  ...links,
  id: z.int(),
  name: z.string(),
  /** The kind of external provider; an open set. */
  type: unchecked<string>(),
});
export type Integration = z.infer<typeof Integration>;

const scopes = ["INTEGRATION_INFO"];
const all = () => path`/user/integrations`;

/** Integrations of the token's user (spec: Workspaces and user profile). Scope INTEGRATION_INFO. Read only. */
export const integrations = {
  /** GET /user/integrations. */
  list: list(all, Integration, { scopes, array: "integrations", key: byId }),
  /** GET /user/integrations/:integration_id. Errors: not-found. */
  get: getOne(byNumber(all), Integration, { scopes }),
};
