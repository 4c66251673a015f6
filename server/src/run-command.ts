import { parseArgs } from "node:util";
import { commandHelp, commandList, programHelp } from "./app/commands/index.ts";

/**
 * Runs one command and answers the exit code: 0 done, 1 refused or failed, 2 not understood. Loads nothing that help does not need until it
 * must. Without `environment`, it is this process's.
 */
export async function runCommand(argv: readonly string[], environment?: NodeJS.ProcessEnv): Promise<number> {
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
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...command.options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (values["help"] === true) {
      process.stdout.write(commandHelp(name, command));
      return 0;
    }
    const { processEnvironment, readSettings } = await import("./app/config.ts");
    const settings = readSettings(environment ?? processEnvironment());
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
