/** Version of the release. */
import { readFileSync } from "node:fs";
import { findPackageRoot } from "./toolchain/locations.js";

export function readVersion(): string {
  const text = readFileSync(`${findPackageRoot()}/package.json`, "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
