import { parseArgs } from "node:util";
import { commandHelp, commandList, programHelp } from "./commands/index.ts";
import { processEnvironment, readSettings, SettingsError } from "./config.ts";
import { FolderInUse } from "./embedded/index.ts";

/** Runs one command and answers the exit code: 0 done, 1 refused or failed, 2 not understood. */
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
    const { run } = await command.load();
    return await run(readSettings(processEnvironment()), { values: values as Record<string, string | boolean | undefined>, words: positionals });
  } catch (error) {
    return explain(error, commandHelp(name, command));
  }
}

/** Faults that a person can mend are sentences of ours; everything else keeps its stack. */
function explain(error: unknown, help: string): number {
  if (error instanceof Error && (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true) {
    process.stderr.write(`${error.message}\n\n${help}`);
    return 2;
  }
  const isSentence =
    error instanceof SettingsError || error instanceof FolderInUse || (error instanceof Error && error.constructor === Error && !("code" in error));
  process.stderr.write(isSentence ? `${error.message}\n` : `${(error as Error)?.stack ?? String(error)}\n`);
  return 1;
}

// A reader that went away (a closed pipe) is no reason to fall over while serving.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exitCode = await main(process.argv.slice(2));
