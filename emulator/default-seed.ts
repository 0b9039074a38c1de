/** Seed of an emulator that is started without one. */
import { checkSeed, type FullSeed } from "./seed-schema.js";

/** Returns the default seed: an owner with four integrations and an empty workspace. */
export function createDefaultSeed(): FullSeed {
  const integrations = [
    { name: "chat-main", type: "CHAT" },
    { name: "git-host", type: "GIT_HOST" },
    { name: "platform-cli", type: "PLATFORM" },
    { name: "agent-main", type: "AGENT" },
  ];
  return checkSeed({
    users: [{ email: "owner@example.com", name: "Olga Owner", title: "Owner", integrations, tokens: [{}] }],
    workspaces: [{ domain: "acme", name: "Acme" }],
  });
}
