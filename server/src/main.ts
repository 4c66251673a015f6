import { parseArgs } from "node:util";
import { commandHelp, commandList, programHelp } from "./app/commands/index.ts";

/** Runs one command and answers the exit code: 0 done, 1 refused or failed, 2 not understood. Loads nothing that help does not need until it must. */
async function main(argv: string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(programHelp());
    return name === undefined ? 2 : 0;
  }
  const command = commandList[name];
  if (command === undefined) {
    process.stderr.write(`There is no command ${JSON.stringify(name)}.\n\n${programHelp()}`);
    return 2;
  }
  try {
    const { values, positionals } = parseArgs({ args: rest, options: { ...command.options, help: { type: "boolean", short: "h" } }, allowPositionals: true });
    if (values["help"] === true) {
      process.stdout.write(commandHelp(name, command));
      return 0;
    }
    const { processEnvironment, readSettings } = await import("./app/config.ts");
    const settings = readSettings(processEnvironment());
    const { run } = await command.load();
    return await run(settings, { values: values as Record<string, string | boolean | undefined>, words: positionals });
  } catch (error) {
    // The code of a program that failed is a number.
    if (error instanceof Error && String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS")) {
      process.stderr.write(`${error.message}\n\n${commandHelp(name, command)}`);
      return 2;
    }
    const { explainFault } = await import("./app/explain-fault.ts");
    process.stderr.write(`${explainFault(error)}\n`);
    return 1;
  }
}

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

process.exitCode = await main(process.argv.slice(2));
