import { z } from "zod";
import { optionalSecretText, integer } from "../fields.js";
import { actionType, integrationById, list, optional, required } from "./definition.js";

/** Action types that send a message or check whether a host responds. */

export const http = actionType({
  type: "HTTP",
  title: "HTTP request",
  notifies: true,
  fields: {
    notification_url: required,
    port: optional,
    content: optional,
    headers: z.array(z.object({ name: required, value: z.string().nullish() })).nullish(),
    method: optional,
    timeout: integer.min(0).max(600).nullish(),
    login: optional,
    password: optionalSecretText,
  },
});

export const ping = actionType({ type: "PING", title: "Ping", fields: { destination: required } });

export const chat = actionType({
  type: "CHAT",
  title: "Chat message",
  notifies: true,
  fields: {
    channel: required,
    integration: integrationById,
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
