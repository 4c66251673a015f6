// `npm start`, `npm run dev` and `npm run tillpost`: installs what is missing, then runs the pinned Node with the server's sources.
import { spawn } from "node:child_process";
import { ensureDashboard } from "./dashboard.mjs";
import { ensureInstalled, pinnedNode, root } from "./install.mjs";
import { serverFlags } from "./node-flags.mjs";
import { exitCodeOf, passSignals } from "./pass-signals.mjs";

const args = process.argv.slice(2);
const isWatched = args[0] === "serve" && args.includes("--watch");
const watch = isWatched
  ? [
      "--watch-path",
      `${root}server/src`,
      "--watch-path",
      `${root}web/pay`,
      "--watch-path",
      `${root}web/pictures`,
      "--watch-path",
      `${root}web/language`,
      "--watch-path",
      `${root}web/reference`,
      "--watch-path",
      `${root}web/tokens.css`,
      "--watch-preserve-output",
    ]
  : [];

try {
  await ensureInstalled({ development: false });
  const node = await pinnedNode();
  if (/^(serve|api)$/.test(args[0] ?? "") && !args.includes("--help"))
    await ensureDashboard(node).catch((error) => process.stderr.write(`${error.message}\n`));
  run(node);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The compile cache keeps the stripped and compiled sources between starts: half a second and some 20 MB less. */
function run(node) {
  const env = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/tillpost`, ...process.env };
  const command = args.filter((arg) => !(isWatched && arg === "--watch"));
  const child = spawn(node, [...serverFlags(), ...watch, `${root}server/src/main.ts`, ...command], { stdio: "inherit", env });
  passSignals(child);
  child.once("error", (error) => {
    process.stderr.write(`${node} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => process.exit(code ?? exitCodeOf(signal)));
}
