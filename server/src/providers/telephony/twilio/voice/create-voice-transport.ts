import type { After, CallEnd, CallTransport, CarrierLines } from "#calls/index.ts";
import { rankByWeight, reachesCountry, reachesNumber } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Answer } from "../account/answer.ts";
import type { createClient } from "../account/client.ts";
import { type AccountRoute, HttpCall } from "./http-call.ts";
import type { VoiceAccount } from "./settings.ts";
import { createVoiceClient } from "./voice-client.ts";

/** An account as operators see it. */
export interface VoiceAccountHealth {
  name: string;
  channels: number;
  calls: number;
}

export interface VoiceTransport extends CallTransport {
  accounts(): VoiceAccountHealth[];
}

export interface VoiceTransportOptions {
  accounts: readonly VoiceAccount[];
  ctx: Pick<Ctx, "egress" | "log" | "now" | "publicUrl">;
  lines: CarrierLines;
  after: After;
  onAnswer(account: string, answer: Answer): void;
  limits?: Parameters<typeof createClient>[0]["limits"];
}

const unplaced = (code: string, message: string): CallEnd => ({
  status: "failed",
  sip_code: null,
  reason: null,
  hangup_by: null,
  error: { code, message },
});

/** How long a closing process waits for its calls to end. */
const closingMs = 10_000;

/** Calls over Twilio's HTTP API, or a compatible one, through all configured accounts. */
export function createVoiceTransport({ accounts, ctx, lines, after, onAnswer, limits }: VoiceTransportOptions): VoiceTransport {
  const routes = accounts.map((account): AccountRoute => ({ account, client: createVoiceClient(ctx, account, limits), calls: 0 }));
  const open = new Map<HttpCall, Promise<void>>();
  let isClosed = false;
  return {
    name: "http",
    channels: accounts.reduce((sum, { channels }) => sum + channels, 0),
    get isOpen() {
      return !isClosed;
    },
    takes: (country) => accounts.some(({ reach }) => reachesCountry(reach, country)),
    dial(call, handlers) {
      const reaching = routes.filter(({ account }) => reachesNumber(account.reach, call));
      const free = reaching.filter(({ account, calls }) => calls < account.channels);
      const ranked = rankByWeight(free, call.call_id, ({ account }) => account);
      const over = Promise.withResolvers<void>();
      const own: HttpCall = new HttpCall({
        ...{ ctx, lines, after, call, routes: ranked, onAnswer },
        handlers: {
          ...handlers,
          ended(end, at) {
            open.delete(own);
            over.resolve();
            handlers.ended(end, at);
          },
        },
      });
      if (reaching.length === 0) handlers.ended(unplaced("no_route", "No carrier is set up for this number."), ctx.now());
      else if (ranked.length === 0)
        handlers.ended(unplaced("channels_busy", "Every account has reached its limit of concurrent calls."), ctx.now());
      else {
        open.set(own, over.promise);
        void own.place();
      }
      return own;
    },
    accounts: () => routes.map(({ account, calls }) => ({ name: account.name, channels: account.channels, calls })),
    async close() {
      isClosed = true;
      for (const call of open.keys()) call.hangUp("caller");
      let stop = () => {};
      const late = new Promise<void>((resolve) => void (stop = after(closingMs, resolve)));
      await Promise.race([late, Promise.all(open.values())]);
      stop();
      await lines.close();
    },
  };
}
