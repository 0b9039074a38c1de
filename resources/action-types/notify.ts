/** HTTP, PING, CHAT and SMS: send a message, or check that a host responds. */
import { z } from "zod";
import { port, requestAddress } from "../definition/formats.js";
import { emptyOrText, lines, nameOrId, optional, text } from "../definition/primitives.js";
import { type ActionVariant, notification, type } from "./fields.js";

const header = z.strictObject({
  name: text.describe("Name of the header.").meta({ examples: ["Content-Type"] }),
  value: z
    .string()
    .describe("Value of the header.")
    .meta({ examples: ["application/json"] }),
});

export const http = {
  chosen: { type: "HTTP" },
  notifies: true,
  description: "Sends an HTTP request.",
  args: {
    type: type("HTTP"),
    method: optional(emptyOrText, "Method of the request, such as GET or POST."),
    notificationUrl: requestAddress.describe("Address of the request."),
    port: optional(port, "Port of the request, if it differs from the port in the address.", 8443),
    headers: optional(z.array(header), "Headers of the request."),
    ...notification,
    timeout: optional(z.int().min(0).max(600), "Seconds to wait for the response, 0 to 600."),
    login: optional(emptyOrText, "User for basic authentication.", "monitor"),
    password: optional(emptyOrText, "Password for basic authentication.", "${env:MONITOR_PASSWORD}"),
  },
  examples: {
    create: { type: "HTTP", notificationUrl: "https://hooks.example.com/deployed", method: "POST" },
    update: { timeout: 30, headers: [{ name: "X-Source", value: "pipeline" }] },
    outside: { notificationUrl: "https://elsewhere.example.com" },
  },
} satisfies ActionVariant;

export const ping = {
  chosen: { type: "PING" },
  description: "Checks that a host responds.",
  args: { type: type("PING"), destination: text.describe("Host name, address or web address.") },
  examples: {
    create: { type: "PING", destination: "shop.example.com" },
    update: { destination: "www.example.com" },
    outside: { destination: "other.example.com" },
  },
} satisfies ActionVariant;

export const chat = {
  chosen: { type: "CHAT" },
  notifies: true,
  description: "Sends a message to a chat channel.",
  args: {
    type: type("CHAT"),
    channel: text.describe("Id of the channel."),
    integration: nameOrId.describe("Integration of the calling user: its name or number."),
    ...notification,
    attachments: optional(lines, "Attachments of the message."),
  },
  examples: {
    create: { type: "CHAT", channel: "C01", integration: "chat-main", content: "Deployed" },
    update: { content: "Deployed again", attachments: ["log"] },
    outside: { channel: "C99" },
  },
} satisfies ActionVariant;

export const sms = {
  chosen: { type: "SMS" },
  notifies: true,
  description: "Sends text messages.",
  args: { type: type("SMS"), recipients: text.describe("Phone numbers, one per line."), ...notification },
  examples: {
    create: { type: "SMS", recipients: "+15550100", content: "Failed" },
    update: { recipients: "+15550100\n+15550101" },
    outside: { content: "Changed by hand" },
  },
} satisfies ActionVariant;
