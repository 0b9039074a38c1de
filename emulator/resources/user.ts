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
      method: "GET",
      path: "/user",
      area,
      summary: "The caller",
      scopes: ["USER_INFO"],
      response: ok(userSchema),
      handle: ({ service, user }) => serializeUser(service, user),
    }),
    route({
      method: "PATCH",
      path: "/user",
      area,
      summary: "Change the caller's name or title",
      scopes: ["USER_INFO"],
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
      method: "GET",
      path: "/user/keys",
      area,
      summary: "The caller's public SSH keys",
      scopes: ["USER_KEY"],
      response: listOf("keys", keySchema),
      handle: (context) => ({
        ...context.service.links.user("/keys"),
        keys: context
          .all(context.store.keys.of(context.user.id))
          .map((row) => serializeKey(context.service, row)),
      }),
    }),
    route({
      method: "POST",
      path: "/user/keys",
      area,
      summary: "Add a public SSH key",
      scopes: ["USER_KEY"],
      body: { content: nonBlank, title: nonBlank.nullish() },
      response: created(keySchema),
      handle: ({ service, store, user, body }) => {
        const row = { userId: user.id, title: body.title ?? null, content: body.content };
        return serializeKey(service, store.keys.insert(row));
      },
    }),
    route({
      method: "GET",
      path: "/user/keys/:key_id",
      area,
      summary: "One public SSH key",
      scopes: ["USER_KEY"],
      response: ok(keySchema),
      handle: (context) => {
        const row = context.row(context.store.keys, "key_id", "Key", context.user);
        return serializeKey(context.service, row);
      },
    }),
    route({
      method: "DELETE",
      path: "/user/keys/:key_id",
      area,
      summary: "Remove a public SSH key",
      scopes: ["USER_KEY"],
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
      method: "POST",
      path: "/user/emails",
      area,
      summary: "Add an e-mail address",
      scopes: ["MANAGE_EMAILS"],
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
      method: "DELETE",
      path: "/user/emails/:email",
      area,
      summary: "Remove an e-mail address",
      scopes: ["MANAGE_EMAILS"],
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
      method: "GET",
      path: "/user/integrations",
      area,
      summary: "The caller's integrations",
      scopes: ["INTEGRATION_INFO"],
      response: listOf("integrations", integrationSchema),
      handle: (context) => ({
        ...context.service.links.user("/integrations"),
        integrations: context
          .all(context.store.integrations.of(context.user.id))
          .map((row) => serializeIntegration(context.service, row)),
      }),
    }),
    route({
      method: "GET",
      path: "/user/integrations/:integration_id",
      area,
      summary: "One of the caller's integrations",
      scopes: ["INTEGRATION_INFO"],
      response: ok(integrationSchema),
      handle: (context) => {
        const row = context.row(context.store.integrations, "integration_id", "Integration", context.user);
        return serializeIntegration(context.service, row);
      },
    }),
  ],
};
