/** Action types that notify: HTTP, ping, chat and SMS. */
import { z } from "zod";
import { integer, optionalSecretText } from "../fields.js";
import { defineActionType, integrationById, list, optional, required } from "./definition.js";

/** Action types that send a message or check whether a host responds. */

export const http = defineActionType({
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

export const ping = defineActionType({ type: "PING", title: "Ping", fields: { destination: required } });

export const chat = defineActionType({
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

export const sms = defineActionType({
  type: "SMS",
  title: "Text message",
  notifies: true,
  createStatusField: "status",
  fields: { recipients: required, content: optional },
});
