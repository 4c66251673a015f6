// `npm test`, `npm run check` and similar: installs what is missing, then runs one tool with the pinned Node. Plain JavaScript, for any
// Node from 20 on.
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { ensureInstalled, pinnedNode, root } from "./install.mjs";
import { exitCodeOf, passSignals } from "./pass-signals.mjs";

/** The Vitest projects that `npm test` runs; additional file names narrow them down. */
const tested = ["unit", "web", "product"].flatMap((name) => ["--project", name]);

const tools = {
  vitest: "node_modules/vitest/vitest.mjs",
  check: "server/checks/check.ts",
  generate: "server/checks/generate.ts",
  bench: "server/bench/bench.ts",
  release: "scripts/release.mjs",
  provider: "scripts/provider.mjs",
};

// The silenced warning is about the function that strips the types of the payment page's script.
const flags = ["--disable-warning=ExperimentalWarning"];

try {
  const [name = "", ...rest] = process.argv.slice(2);
  const tool = tools[name];
  if (tool === undefined && name !== "test")
    throw new Error(`There is no tool ${JSON.stringify(name)}. There are: ${["test", ...Object.keys(tools)].join(", ")}.`);
  await ensureInstalled({ development: true });
  run(await pinnedNode(), name === "test" ? [tools.vitest, "run", ...tested, ...rest] : [tool, ...rest]);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** With the compile cache of `npm start`, which also keeps the tool itself. */
function run(node, command) {
  const path = `${root}node_modules/.bin${delimiter}${process.env.PATH ?? ""}`;
  const env = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/tillpost`, ...process.env, PATH: path };
  const child = spawn(node, [...flags, ...command], { cwd: root, stdio: "inherit", env });
  passSignals(child);
  child.once("error", (error) => {
    process.stderr.write(`${node} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => process.exit(code ?? exitCodeOf(signal)));
}
