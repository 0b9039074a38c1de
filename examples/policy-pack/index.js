// Policies that Pulumi checks at each preview and update, by resource type.
const { PolicyPack, validateResourceOfType } = require("@pulumi/policy");
const { Action } = require("pulumi-workspace-automation");

/** Hosts of our own: a name within the company's domain, or a loopback address. */
const isInternal = (host) => /(^|\.)example\.com$/.test(host) || host === "127.0.0.1";

new PolicyPack("workspace-policies", {
  policies: [
    {
      name: "ping-internal-hosts-only",
      description: "A PING action may only reach hosts within example.com.",
      enforcementLevel: "mandatory",
      validateResource: validateResourceOfType(Action, (action, _args, reportViolation) => {
        if (action.type === "PING" && !isInternal(action.destination))
          reportViolation(
            `The action "${action.name}" pings ${action.destination}, which is not a host of ours.`,
          );
      }),
    },
  ],
});
