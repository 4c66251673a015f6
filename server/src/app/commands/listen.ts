import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { type ApiClient, openApi } from "../developer/api-client.ts";
import { followStream, type StreamedEvent } from "../developer/follow-stream.ts";
import { forwardEvent, listenSecret } from "../developer/forward-event.ts";
import { watchSignals } from "./process/watch-signals.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

export async function run(settings: Settings, given: Given): Promise<number> {
  const to = forwardAddress(given.values["forward-to"]);
  const api = await openApi(settings, given);
  const secret = listenSecret(api.key);
  const events = await eventsWanted(api, given);
  const ending = new AbortController();
  const signals = watchSignals();
  void signals.first.then(() => ending.abort());
  let last: StreamedEvent | null = null;
  const forward = async (event: StreamedEvent) => say(await forwardEvent(event, { to, secret, at: new Date() }));
  const keys = onKeys({ resend: () => (last === null ? say("No event has arrived yet.") : void forward(last)), quit: signals.stop });
  say(
    `Forwarding ${events === null ? "every event" : events.join(", ")} to ${to}\nSigned with ${secret}\nPress r to resend the last event, q to quit.\n`,
  );
  await followStream(api, {
    events,
    signal: ending.signal,
    onOpen: () => say("Listening."),
    onLost: (reason) => say(`Connection lost (${reason}); reconnecting.`),
    onEvent(event) {
      last = event;
      void forward(event);
    },
  });
  keys.close();
  return 0;
}

function forwardAddress(text: string | boolean | undefined): string {
  const url = typeof text === "string" ? URL.parse(text.includes("://") ? text : `http://${text}`) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error("Where to? Add --forward-to http://localhost:3000/hook");
  return url.href;
}

/** Names, families and `*`, as endpoints subscribe to them; null is every event. */
async function eventsWanted(api: ApiClient, given: Given): Promise<string[] | null> {
  const named = given.values["events"];
  if (typeof named === "string") return named.split(",").map((name) => name.trim());
  if (given.values["load-from-webhooks"] !== true) return null;
  const { data } = await api.call<{ data: { status: string; events: string[] }[] }>("GET", `${api.project}/webhooks?limit=100`);
  const names = [...new Set(data.filter((one) => one.status === "enabled").flatMap((one) => one.events))];
  if (names.length === 0)
    throw new Error("No enabled webhook endpoint is registered in TEST. Leave out --load-from-webhooks, or pass --events.");
  return names;
}

/** Keys of a terminal as they are pressed; lines of any other input. */
function onKeys(keys: { resend(): void; quit(): void }): { close(): void } {
  const { stdin } = process;
  const onData = (bytes: Buffer) => {
    for (const key of String(bytes)) {
      if (key === "r") keys.resend();
      if (key === "q" || key === "\u0003") keys.quit();
    }
  };
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on("data", onData);
  return {
    close() {
      stdin.off("data", onData);
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.pause();
      stdin.unref?.();
    },
  };
}
