// Checks the JSON of a plan: node check.mjs preview.json
import { readFileSync } from "node:fs";
import { Environment } from "@marcbachmann/cel-js";
import { rules } from "./rules.mjs";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
if (plan.version !== 2) throw new Error(`these rules know version 2 of the report, not ${plan.version}`);

const environment = new Environment().registerVariable("plan", "map");
const broken = Object.keys(rules).filter((rule) => environment.evaluate(rules[rule], { plan }) !== true);
for (const rule of broken) console.error(`the plan breaks a rule: ${rule}`);
process.exitCode = broken.length > 0 ? 1 : 0;
