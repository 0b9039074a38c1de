/** Version of the release. */
import { readFileSync } from "node:fs";
import { packageRoot } from "./toolchain/locations.js";

export function version(): string {
  const text = readFileSync(`${packageRoot()}/package.json`, "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
