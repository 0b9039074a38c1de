/** A workspace in which every assumption that takes no change can be checked. */
import type { EmulatorOptions } from "../../../emulator/index.js";

const pipeline = (name: string, more: object = {}) => ({
  ...{ name, ref_name: "main", trigger_mode: "MANUAL" },
  ...more,
});
const build = { name: "Build", type: "BUILD", trigger_time: "ON_EVERY_EXECUTION" };
export const probeSeed = {
  users: [
    { email: "owner@example.com", name: "Owner", tokens: [{}] },
    { email: "weak@example.com", name: "Weak" },
  ],
  workspaces: [
    {
      domain: "acme",
      members: [{ email: "weak@example.com" }],
      variables: [
        { key: "PLAIN", value: "canary-plain" },
        { key: "HIDDEN", value: "canary-hidden", encrypted: true },
      ],
      projects: [
        {
          name: "web",
          pipelines: [
            pipeline("deploy", {
              pipeline_variables: [{ key: "OF_PIPELINE", value: "a" }],
              actions: [
                {
                  ...build,
                  container_image_name: "node",
                  container_image_tag: "22",
                  execute_commands: ["a"],
                  action_variables: [{ key: "OF_ACTION", value: "a", encrypted: true }],
                },
              ],
            }),
            pipeline("nightly", { trigger_mode: "SCHEDULED", cron: "0 2 * * *" }),
            ...Array.from({ length: 24 }, (_, index) => pipeline(`more-${index}`)),
          ],
        },
      ],
    },
  ],
} as NonNullable<EmulatorOptions["seed"]>;
