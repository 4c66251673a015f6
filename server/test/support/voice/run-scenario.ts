import { writeFileSync } from "node:fs";
import { baresipScenarios } from "./baresip-scenarios.ts";
import { recorded } from "./call-out.ts";
import { loadScenarios } from "./load-scenario.ts";
import { endPrograms } from "./programs.ts";
import { sippScenarios } from "./sipp-scenarios.ts";

const scenarios: Readonly<Record<string, () => Promise<unknown>>> = { ...sippScenarios, ...baresipScenarios, ...loadScenarios };

/** Runs one scenario by its name and prints its result as the last line. A second argument is the file for its signaling. */
const [, , name = "", transcript] = process.argv;
if (transcript !== undefined) recorded.spoken = [];
const found = await scenarios[name]?.();
await endPrograms();
if (transcript !== undefined) writeFileSync(transcript, JSON.stringify(recorded.spoken));
process.stdout.write(`\n${JSON.stringify(found ?? null)}\n`, () => process.exit(0));
