/** Endpoints and tables of the current user. */
import type { Context } from "../context.js";
import { createConflictError, createNotFoundError } from "../errors.js";
import { email, flag, integer, nonBlank, text } from "../fields.js";
import type { KeyRow } from "../model.js";
import { findUser } from "../operations/people.js";
import {
  defineSchema,
  links,
  respondCreated,
  respondList,
  respondOk,
  serializeFields,
  textOrNull,
} from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { serializeUser, userSchema } from "../serializers/people.js";
import { integrationSchema, serializeIntegration } from "../serializers/projects.js";
import type { Service } from "../service.js";
import { convertEmail } from "../stored-text.js";

const area = "Workspaces and user profile";
const profile = defineEndpoints("/user", { area, scopes: ["USER_INFO"] });
const publicKeys = defineEndpoints("/user", { area, scopes: ["USER_KEY"] });
const manageEmails = defineEndpoints("/user", { area, scopes: ["MANAGE_EMAILS"] });
const integrations = defineEndpoints("/user", { area, scopes: ["INTEGRATION_INFO"] });

const keySchema = defineSchema("PublicKey", { ...links, id: integer, title: textOrNull, content: text });
const emailSchema = defineSchema("Email", { email: text, confirmed: flag });

const serializeKey = (service: Service, row: KeyRow) =>
  serializeFields(row, keySchema, { ...service.links.user(`/keys/${row.id}`) });

const getKey = (context: Context): KeyRow => context.row(context.store.keys, "key_id", "Key", context.user);

export const userResource: Resource = {
  tables: {
    users: {},
    keys: { belongsTo: { users: "userId" } },
    integrations: { belongsTo: { users: "userId" } },
  },
  routes: [
    profile("GET", "The caller", {
      response: respondOk(userSchema),
      handle: ({ service, user }) => serializeUser(service, user),
    }),
    profile("PATCH", "Change the caller's name or title", {
      body: { name: nonBlank.optional(), title: nonBlank.nullish() },
      response: respondOk(userSchema),
      handle: ({ service, store, user, body }) =>
        serializeUser(service, store.users.update(Object.assign(user, body))),
    }),
    publicKeys("GET /keys", "The caller's public SSH keys", {
      response: respondList("keys", keySchema),
      handle: (context) =>
        context.all(context.store.keys.of(context.user.id)).map((row) => serializeKey(context.service, row)),
    }),
    publicKeys("POST /keys", "Add a public SSH key", {
      body: { content: nonBlank, title: nonBlank.nullish() },
      response: respondCreated(keySchema),
      handle: ({ service, store, user, body }) =>
        serializeKey(service, store.keys.insert({ userId: user.id, ...body, title: body.title ?? null })),
    }),
    publicKeys("GET /keys/:key_id", "One public SSH key", {
      response: respondOk(keySchema),
      handle: (context) => serializeKey(context.service, getKey(context)),
    }),
    publicKeys("DELETE /keys/:key_id", "Remove a public SSH key", {
      handle: (context) => context.store.keys.remove(getKey(context)),
    }),
    profile("GET /emails", "The caller's e-mail addresses", {
      scopes: ["USER_EMAIL"],
      response: respondList("emails", emailSchema),
      handle: (context) =>
        context.all(context.user.emails).map(({ email, confirmed }) => ({ email, confirmed })),
    }),
    manageEmails("POST /emails", "Add an e-mail address", {
      body: { email: email },
      response: respondOk(emailSchema),
      handle: ({ service, store, user, body }) => {
        const address = convertEmail(body.email, service.settings);
        const isUsed = findUser(service, address) !== undefined;
        if (isUsed || user.emails.some(({ email }) => email === address)) {
          throw createConflictError(`The e-mail address ${address} is in use already.`);
        }
        const added = { email: address, confirmed: false };
        user.emails = [...user.emails, added];
        store.users.update(user);
        return added;
      },
    }),
    manageEmails("DELETE /emails/:email", "Remove an e-mail address", {
      handle: (context) => {
        const { user, store } = context;
        const email = convertEmail(context.param("email"), context.service.settings);
        if (!user.emails.some((each) => each.email === email))
          throw createNotFoundError(`E-mail address ${email}`);
        if (email === user.email) throw createConflictError("The primary e-mail address cannot be removed.");
        user.emails = user.emails.filter((each) => each.email !== email);
        store.users.update(user);
      },
    }),
    integrations("GET /integrations", "The caller's integrations", {
      response: respondList("integrations", integrationSchema),
      handle: (context) =>
        context
          .all(context.store.integrations.of(context.user.id))
          .map((row) => serializeIntegration(context.service, row)),
    }),
    integrations("GET /integrations/:integration_id", "One of the caller's integrations", {
      response: respondOk(integrationSchema),
      handle: (context) => {
        const row = context.row(context.store.integrations, "integration_id", "Integration", context.user);
        return serializeIntegration(context.service, row);
      },
    }),
  ],
};
