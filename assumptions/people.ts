/** What we assume of members, groups and access. */
import { defineGroup } from "./assumption.js";

export const peopleAssumptions = defineGroup("Members and access", [
  {
    id: "member-email",
    title: "The e-mail address of a member",
    assumed: "Responses about members contain `email`.",
    why: "The specification shows it in commits only, but lists can be sorted by it.",
    affects: "Adoption, export and comparison of members by their address.",
    check: { requests: ["GET .../members"], writes: false },
    behavior: "echoMemberEmail",
    otherwise:
      "An adoption requires `member` (the id), and an export needs a file of addresses (`--people`).",
  },
  {
    id: "denied-status",
    title: "A request without the right",
    assumed: "It gets 403, with another message than that of the rate limit.",
    why: "The specification does not show the response.",
    affects: "Messages, and what a limited token can compare.",
    check: { impossible: "a token with few rights would be needed besides yours" },
    otherwise: "The message names the request and its status instead of the missing right.",
  },
  {
    id: "client-registration",
    title: "The registration of an OAuth client",
    assumed: "It needs the token of the caller.",
    why: "The specification says that this is not shown.",
    affects: "`OAuthClient` and `workspacectl oauth-client`.",
    check: { impossible: "a probe leaves no clients behind, and registers none" },
    otherwise: "The service's message is shown.",
  },
]);
