import { startKannel } from "#test/support/smpp/kannel.ts";
import type { Measured } from "./load.ts";
import { runLoad } from "./run-served.ts";

/** Kannel in front of a carrier. */
export interface Kannel {
  /** Sends this many messages through its HTTP interface, one per request. */
  load(messages: number, itemOf: (n: number) => object): Promise<Measured>;
  stop(): Promise<void>;
}

const bodies = 5_000;
const connections = 64;

/** Null, and a line that says so, if Kannel is neither installed nor available from Debian. */
export async function openKannel(carrierPort: number, window: number): Promise<Kannel | null> {
  const kannel = await startKannel(carrierPort, { window, isQuiet: true }).catch((error: Error) => {
    process.stderr.write(`Kannel is left out of the figures: ${error.message.replaceAll("\n", " ")}\n`);
    return null;
  });
  if (kannel === null) return null;
  return {
    async load(messages, itemOf) {
      const some = Array.from({ length: bodies }, (_none, n) => {
        const { from = "", to = "", body = "" } = itemOf(n) as Record<string, string>;
        return `${kannel.sendsms.pathname}?${new URLSearchParams({ username: "tester", password: "tester", from, to, text: body })}`;
      });
      const paths = Array.from({ length: messages }, (_none, n) => some[n % bodies] as string);
      const traffic = { method: "GET", headers: "", body: "", paths, once: true, connections } as const;
      const measured = await runLoad(Number(kannel.sendsms.port), traffic, { warmupMs: 0, measureMs: 600_000 });
      if (measured.failed > 0) throw new Error(`Kannel refused ${measured.failed} of ${measured.requests} messages`);
      process.stderr.write(`Kannel GET ${kannel.sendsms.pathname}: ${measured.perSecond}/s\n`);
      return measured;
    },
    stop: kannel.stop,
  };
}
