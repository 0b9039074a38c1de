import type { FullSeed } from "./seed-schema.js";

/** Returns the default seed: an owner with four integrations and an empty workspace. */
export function defaultSeed(): FullSeed {
  return {
    users: [
      {
        email: "owner@example.com",
        name: "Olga Owner",
        title: "Owner",
        emails: [],
        keys: [],
        integrations: [
          { name: "chat-main", type: "CHAT" },
          { name: "git-host", type: "GIT_HOST" },
          { name: "platform-cli", type: "PLATFORM" },
          { name: "agent-main", type: "AGENT" },
        ],
        tokens: [{}],
      },
    ],
    workspaces: [
      {
        domain: "acme",
        name: "Acme",
        api_enabled: true,
        frozen: false,
        projects_by_admins_only: false,
        members_by_admins_only: false,
        members: [],
        groups: [],
        permission_sets: [],
        variables: [],
        projects: [],
        sandboxes: [],
      },
    ],
    oauth_clients: [],
  };
}
