import { actionType, integrationById, list, optional, required, secret } from "./definition.js";

/** Actions that tell someone, or look whether something answers. */
export const http = actionType({
  type: "HTTP",
  title: "HTTP request",
  notifies: true,
  fields: {
    notification_url: required,
    port: optional,
    content: optional,
    headers: { type: "objects", fields: { name: required, value: { type: "string", mayBeEmpty: true } } },
    method: optional,
    timeout: { type: "integer", min: 0, max: 600 },
    login: optional,
    password: secret,
  },
});

export const ping = actionType({ type: "PING", title: "Ping", fields: { destination: required } });

export const chat = actionType({
  type: "CHAT",
  title: "Chat message",
  notifies: true,
  fields: {
    channel: required,
    integration: { ...integrationById, required: true },
    content: optional,
    attachments: list,
  },
});

export const sms = actionType({
  type: "SMS",
  title: "Text message",
  notifies: true,
  createStatusField: "status",
  fields: { recipients: required, content: optional },
});
