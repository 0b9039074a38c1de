import { conflict, notFound } from "../errors.js";
import { text, integer, email, flag, nonBlank } from "../fields.js";
import { findUser } from "../operations/people.js";
import { route, type Resource } from "../route.js";
import { links, created, deleted, listOf, ok, schema, textOrNull } from "../response.js";
import { serializeUser, userSchema } from "../serializers/people.js";
import { integrationSchema, serializeIntegration } from "../serializers/projects.js";
import type { KeyRow } from "../model.js";
import type { Service } from "../service.js";

const area = "Workspaces and user profile";
const profile = { area, scopes: ["USER_INFO"] } as const;
const publicKeys = { area, scopes: ["USER_KEY"] } as const;
const manageEmails = { area, scopes: ["MANAGE_EMAILS"] } as const;
const integrations = { area, scopes: ["INTEGRATION_INFO"] } as const;

const keySchema = schema("PublicKey", { ...links, id: integer, title: textOrNull, content: text });
const emailSchema = schema("Email", { email: text, confirmed: flag });

function serializeKey(service: Service, row: KeyRow) {
  return {
    ...service.links.user(`/keys/${row.id}`),
    id: row.id,
    title: row.title,
    content: row.content,
  };
}

export const userResource: Resource = {
  tables: {
    users: {},
    keys: { belongsTo: { users: "userId" } },
    integrations: { belongsTo: { users: "userId" } },
  },
  routes: [
    route({
      ...profile,
      method: "GET",
      path: "/user",
      summary: "The caller",
      response: ok(userSchema),
      handle: ({ service, user }) => serializeUser(service, user),
    }),
    route({
      ...profile,
      method: "PATCH",
      path: "/user",
      summary: "Change the caller's name or title",
      body: { name: nonBlank.optional(), title: nonBlank.nullish() },
      response: ok(userSchema),
      handle: ({ service, store, user, body }) => {
        if (body.name !== undefined) user.name = body.name;
        if (body.title !== undefined) user.title = body.title;
        store.users.update(user);
        return serializeUser(service, user);
      },
    }),
    route({
      ...publicKeys,
      method: "GET",
      path: "/user/keys",
      summary: "The caller's public SSH keys",
      response: listOf("keys", keySchema),
      handle: (context) => ({
        ...context.service.links.user("/keys"),
        keys: context
          .all(context.store.keys.of(context.user.id))
          .map((row) => serializeKey(context.service, row)),
      }),
    }),
    route({
      ...publicKeys,
      method: "POST",
      path: "/user/keys",
      summary: "Add a public SSH key",
      body: { content: nonBlank, title: nonBlank.nullish() },
      response: created(keySchema),
      handle: ({ service, store, user, body }) => {
        const row = { userId: user.id, title: body.title ?? null, content: body.content };
        return serializeKey(service, store.keys.insert(row));
      },
    }),
    route({
      ...publicKeys,
      method: "GET",
      path: "/user/keys/:key_id",
      summary: "One public SSH key",
      response: ok(keySchema),
      handle: (context) => {
        const row = context.row(context.store.keys, "key_id", "Key", context.user);
        return serializeKey(context.service, row);
      },
    }),
    route({
      ...publicKeys,
      method: "DELETE",
      path: "/user/keys/:key_id",
      summary: "Remove a public SSH key",
      response: deleted,
      handle: (context) => {
        const row = context.row(context.store.keys, "key_id", "Key", context.user);
        context.store.keys.remove(row);
      },
    }),
    route({
      method: "GET",
      path: "/user/emails",
      area,
      summary: "The caller's e-mail addresses",
      scopes: ["USER_EMAIL"],
      response: listOf("emails", emailSchema),
      handle: (context) => ({
        ...context.service.links.user("/emails"),
        emails: context.all(context.user.emails).map(({ email, confirmed }) => ({ email, confirmed })),
      }),
    }),
    route({
      ...manageEmails,
      method: "POST",
      path: "/user/emails",
      summary: "Add an e-mail address",
      body: { email: email },
      response: ok(emailSchema),
      handle: ({ service, store, user, body }) => {
        const taken = findUser(service, body.email) !== undefined;
        if (taken || user.emails.some(({ email }) => email === body.email)) {
          throw conflict(`The e-mail address ${body.email} is in use already.`);
        }
        const added = { email: body.email, confirmed: false };
        user.emails = [...user.emails, added];
        store.users.update(user);
        return added;
      },
    }),
    route({
      ...manageEmails,
      method: "DELETE",
      path: "/user/emails/:email",
      summary: "Remove an e-mail address",
      response: deleted,
      handle: (context) => {
        const { user, store } = context;
        const email = context.param("email");
        if (!user.emails.some((each) => each.email === email)) throw notFound(`E-mail address ${email}`);
        if (email === user.email) throw conflict("The primary e-mail address cannot be removed.");
        user.emails = user.emails.filter((each) => each.email !== email);
        store.users.update(user);
      },
    }),
    route({
      ...integrations,
      method: "GET",
      path: "/user/integrations",
      summary: "The caller's integrations",
      response: listOf("integrations", integrationSchema),
      handle: (context) => ({
        ...context.service.links.user("/integrations"),
        integrations: context
          .all(context.store.integrations.of(context.user.id))
          .map((row) => serializeIntegration(context.service, row)),
      }),
    }),
    route({
      ...integrations,
      method: "GET",
      path: "/user/integrations/:integration_id",
      summary: "One of the caller's integrations",
      response: ok(integrationSchema),
      handle: (context) => {
        const row = context.row(context.store.integrations, "integration_id", "Integration", context.user);
        return serializeIntegration(context.service, row);
      },
    }),
  ],
};
