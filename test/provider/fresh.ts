/** Provides each test of a file with its own emulator, engine and API client. */
import { afterEach, beforeEach } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { Engine } from "./engine.js";

export interface Fresh {
  emulator: Emulator;
  engine: Engine;
  api: WorkspaceAutomationClient;
}

/**
 * Starts a strict emulator before each test and closes it afterwards. The returned object is filled in before
 * each test.
 */
export function freshForEach(options: EmulatorOptions = {}): Fresh {
  const fresh = {} as Fresh;
  beforeEach(async () => {
    const emulator = await startEmulator({ strictBodies: true, ...options });
    const { baseUrl, token, workspace } = emulator;
    const engine = new Engine(baseUrl, token, workspace);
    Object.assign(fresh, { emulator, engine, api: new WorkspaceAutomationClient({ baseUrl, token }) });
  });
  afterEach(() => fresh.emulator.close());
  return fresh;
}
