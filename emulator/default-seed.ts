import type { FullSeed } from "./seed-schema.js";

/** What an emulator starts with when it is told nothing: an owner, four integrations, an empty workspace. */
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
