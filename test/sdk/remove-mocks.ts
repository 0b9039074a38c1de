/** Removes Pulumi's mocks after the tests of a file. Other files run in the same process. */
import * as pulumi from "@pulumi/pulumi";
import { afterAll } from "vitest";

export function removeMocks(): void {
  afterAll(() => pulumi.runtime.resetOptions("", "", -1, "", "", false, ""));
}
