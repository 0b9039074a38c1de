import { conflict, notFound } from "../errors.js";
import { emailField } from "../fields.js";
import { findUser } from "../operations/people.js";
import { route } from "../route.js";
import { created, deleted, flag, integer, links, listOf, ok, text, textOrNull, view } from "../view.js";
import { showUser, userView } from "../views/people.js";
import { integrationView, showIntegration } from "../views/projects.js";
import type { KeyRow } from "../model.js";
import type { Service } from "../service.js";

const area = "Workspaces and user profile";

const keyView = view("PublicKey", { ...links, id: integer, title: textOrNull, content: text });
const emailView = view("Email", { email: text, confirmed: flag });

function showKey(service: Service, row: KeyRow) {
  return {
    ...service.links.user(`/keys/${row.id}`),
    id: row.id,
    title: row.title,
    content: row.content,
  };
}

export const userRoutes = [
  route({
    method: "GET",
    path: "/user",
    area,
    summary: "The caller",
    scopes: ["USER_INFO"],
    answer: ok(userView),
    handle: ({ service, user }) => showUser(service, user),
  }),
  route({
    method: "PATCH",
    path: "/user",
    area,
    summary: "Change the caller's name or title",
    scopes: ["USER_INFO"],
    body: { name: { type: "string", notNull: true }, title: { type: "string" } },
    answer: ok(userView),
    handle: ({ service, store, user, body }) => {
      if (body.name !== undefined) user.name = body.name;
      if (body.title !== undefined) user.title = body.title;
      store.users.update(user);
      return showUser(service, user);
    },
  }),
  route({
    method: "GET",
    path: "/user/keys",
    area,
    summary: "The caller's public SSH keys",
    scopes: ["USER_KEY"],
    answer: listOf("keys", keyView),
    handle: (context) => ({
      ...context.service.links.user("/keys"),
      keys: context.all(context.store.keys.of(context.user.id)).map((row) => showKey(context.service, row)),
    }),
  }),
  route({
    method: "POST",
    path: "/user/keys",
    area,
    summary: "Add a public SSH key",
    scopes: ["USER_KEY"],
    body: { content: { type: "string", required: true }, title: { type: "string" } },
    answer: created(keyView),
    handle: ({ service, store, user, body }) => {
      const row = { id: store.newId(), userId: user.id, title: body.title ?? null, content: body.content };
      return showKey(service, store.keys.insert(row));
    },
  }),
  route({
    method: "GET",
    path: "/user/keys/:key_id",
    area,
    summary: "One public SSH key",
    scopes: ["USER_KEY"],
    answer: ok(keyView),
    handle: (context) => {
      const row = context.store.keys.get(context.id("key_id"));
      if (row?.userId !== context.user.id) throw notFound(`Key ${context.param("key_id")}`);
      return showKey(context.service, row);
    },
  }),
  route({
    method: "DELETE",
    path: "/user/keys/:key_id",
    area,
    summary: "Remove a public SSH key",
    scopes: ["USER_KEY"],
    answer: deleted,
    handle: (context) => {
      const row = context.store.keys.get(context.id("key_id"));
      if (row?.userId !== context.user.id) throw notFound(`Key ${context.param("key_id")}`);
      context.store.keys.remove(row);
    },
  }),
  route({
    method: "GET",
    path: "/user/emails",
    area,
    summary: "The caller's e-mail addresses",
    scopes: ["USER_EMAIL"],
    answer: listOf("emails", emailView),
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
    body: { email: { ...emailField, required: true } },
    answer: ok(emailView),
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
    answer: deleted,
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
    answer: listOf("integrations", integrationView),
    handle: (context) => ({
      ...context.service.links.user("/integrations"),
      integrations: context
        .all(context.store.integrations.of(context.user.id))
        .map((row) => showIntegration(context.service, row)),
    }),
  }),
  route({
    method: "GET",
    path: "/user/integrations/:integration_id",
    area,
    summary: "One of the caller's integrations",
    scopes: ["INTEGRATION_INFO"],
    answer: ok(integrationView),
    handle: (context) => {
      const row = context.store.integrations.get(context.id("integration_id"));
      if (row?.userId !== context.user.id) throw notFound(`Integration ${context.param("integration_id")}`);
      return showIntegration(context.service, row);
    },
  }),
];
