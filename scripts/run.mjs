// Runs one of the project's tools under the pinned Node, after installing what is missing. Plain JavaScript, for any Node from 20 on.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, pinnedNode } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tools = {
  vitest: ["node_modules/vitest/vitest.mjs"],
  check: ["server/checks/check.ts"],
  generate: ["server/checks/generate.ts"],
  bench: ["server/bench/bench.ts"],
};

const [name = "", ...rest] = process.argv.slice(2);
const tool = tools[name];
if (tool === undefined) {
  console.error(`There is no tool ${JSON.stringify(name)}. There are: ${Object.keys(tools).join(", ")}.`);
  process.exit(2);
}
ensureInstalled();

const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`;
const child = spawn(pinnedNode(), [...tool, ...rest], { cwd: root, stdio: "inherit", env: { ...process.env, PATH: path } });
// A terminal's Ctrl-C reaches the child by itself; a second copy would make tools give up instead of ending in order.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(String(error));
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
