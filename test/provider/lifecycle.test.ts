/** Runs the lifecycle of every resource type at services that differ in what the specification leaves open. */
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import type { EmulatorOptions } from "../../emulator/index.js";
import { adapters } from "./engine.js";
import { describeLifecycle } from "./lifecycle.js";
import { otherService } from "./other-service.js";

const services: [name: string, options: EmulatorOptions, behavior?: MeasuredBehavior][] = [
  ["a service that shows everything", {}],
  [
    "a service that shows as little as the spec allows",
    { embeddedActions: "summary", echoMemberEmail: true },
  ],
  ["a service with a profile", otherService, otherService],
];

// Runs the plugin against one service only, since the fields in its responses do not affect the adapter.
describeLifecycle(
  adapters.flatMap((adapter) =>
    services
      .filter(([, options]) => adapter === "dynamic" || Object.keys(options).length === 0)
      .map(([name, options, behavior]) => ({ adapter, name, options, behavior })),
  ),
);
