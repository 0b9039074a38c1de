/** Lint rule: an address is not encrypted, so others on the network can read what is sent, including passwords. */
import type { Rule } from "../rule.js";

/** Arguments that contain addresses. */
const addresses = ["notificationUrl", "pushUrl", "customRepoUrl"];
const local = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i;

export const plainHttp: Rule = {
  code: "plain-http",
  severity: "warning",
  description:
    "An address is not encrypted, so others on the network can read what is sent, including passwords.",
  remedy: "Use https.",
  *check(linted) {
    for (const entry of linted.entries) {
      for (const arg of addresses) {
        const address = linted.text(entry, arg);
        if (address !== undefined && /^http:\/\//i.test(address) && !local.test(address))
          yield linted.atArg(entry, arg, "this address is reached without encryption: write https");
      }
    }
  },
};
