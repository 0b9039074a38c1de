/** Removes Pulumi's mocks after tests. Other files run in the same process. */
import * as pulumi from "@pulumi/pulumi";
import { afterAll } from "vitest";

/** Removes them after the tests of this file. */
export function removeMocks(): void {
  afterAll(removeMocksNow);
}

export function removeMocksNow(): void {
  pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
}
