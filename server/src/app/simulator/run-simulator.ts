import { nameIn } from "#gateways/index.ts";
import { firstLanguage } from "#platform/index.ts";
import type { Given } from "../command.ts";
import { watchSignals } from "../commands/process/watch-signals.ts";
import type { Settings } from "../config.ts";
import { gateways } from "../gateways.ts";
import { callbackPath, serveSimulator } from "./serve-simulator.ts";
import { writeSettings } from "./write-settings.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

export async function run(_settings: Settings, { values, words }: Given): Promise<number> {
  const adapter = await adapterOf(words[0]);
  const { names } = adapter.manifest.method;
  const signals = watchSignals();
  const simulator = await adapter.simulator();
  const served = await serveSimulator(simulator, { port: portOf(values["port"]), now: () => new Date(), log: say });
  const account = typeof values["account"] === "string" ? values["account"] : "shop";
  const fields = await served.world.enter((world) => simulator.openAccount(world, account));
  const { settings, remove } = await writeSettings(simulator, served);
  say(`${nameIn(names, firstLanguage)} simulator: ${served.origin}\n`);
  const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  say(`Start Tillpost with ${environment.join(" ")}\n`);
  say(`The fields of an account to add in TEST:\n\n${JSON.stringify(fields, null, 2)}\n`);
  if (simulator.enterCallbackUrl !== undefined)
    say(
      `Then post the account's webhook_url so that callbacks reach it: curl ${served.origin}${callbackPath} --data-urlencode url=<webhook_url>\n`,
    );
  say("Each payment links to its payment page. In a script, choose the outcome by posting outcome=<name>:");
  say(`${simulator.outcomes.join(", ")}\n\nPress Ctrl-C to stop. Nothing is stored between runs.\n`);
  await signals.wait();
  await served.close();
  await remove();
  return 0;
}

async function adapterOf(slug: string | undefined) {
  const found = gateways.find(({ manifest }) => manifest.method.gateway === slug);
  if (found !== undefined) return found;
  const known = gateways.map(({ manifest }) => manifest.method.gateway).join(", ");
  throw new Error(
    slug === undefined ? `Which provider? Available: ${known}.` : `There is no provider ${JSON.stringify(slug)}. Available: ${known}.`,
  );
}

function portOf(text: string | boolean | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error("--port takes a number from 1 to 65535.");
  return port;
}
