/** Analyzes workspace files in a thread of its own, so that the page stays responsive. */
import "./process.js";
import { expose } from "comlink";
import { analyze } from "./analyze.js";
import { complete, explain } from "./complete.js";

const playground = { analyze, complete, explain };
export type Playground = typeof playground;

expose(playground);
// One of the modules is loaded asynchronously, and what arrives before is lost.
postMessage("ready");
