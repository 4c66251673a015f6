import { runCommand } from "./run-command.ts";

// A reader that went away (a closed pipe) is no reason to fall over while serving.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// As process 1 of a container no signal has its usual effect: what does not watch for them itself ends as it would elsewhere.
if (process.pid === 1)
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ] as const)
    process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(128 + number));

process.exitCode = await runCommand(process.argv.slice(2));

// A start that failed halfway may leave a server or a timer behind: the process would neither work nor end, and look healthy.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 2_000).unref();
