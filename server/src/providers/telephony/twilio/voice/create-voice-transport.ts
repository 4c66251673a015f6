import type {
  After,
  CallDial,
  CallEnd,
  CallHandlers,
  CallLine,
  CallTransport,
  CarrierCopy,
  CarrierFile,
  CarrierLines,
  OutgoingCall,
} from "#calls/index.ts";
import { type Destination, rankByWeight, reachesNumber } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Answer } from "../account/answer.ts";
import type { createClient } from "../account/client.ts";
import { type AccountRoute, providerOf } from "./account-route.ts";
import { findWhole } from "./fetch-recordings.ts";
import { HttpCall } from "./http-call.ts";
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
  /** The folder for notes about recordings at carriers. */
  recordings: string;
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
export function createVoiceTransport({ accounts, limits, ...shared }: VoiceTransportOptions): VoiceTransport {
  const { ctx, lines, after } = shared;
  const routes = accounts.map((account): AccountRoute => ({ account, client: createVoiceClient(ctx, account, limits), calls: 0 }));
  const transport: HttpTransport = { ...shared, routes, open: new Map() };
  let isClosed = false;
  return {
    name: "http",
    channels: accounts.reduce((sum, { channels }) => sum + channels, 0),
    get isOpen() {
      return !isClosed;
    },
    takes: (number) => accounts.some(({ reach }) => reachesNumber(reach, number)),
    countFree: () => countFree(routes),
    reserve: async (call, signal) => (isClosed || signal.aborted ? null : reserve(transport, call)),
    dial: (call, handlers) => dial(transport, rankFree(routes, call), { call, handlers }),
    findRecording: (copy) => findRecording(transport, copy),
    accounts: () => routes.map(({ account, calls }) => ({ name: account.name, channels: account.channels, calls })),
    async close() {
      isClosed = true;
      for (const call of transport.open.keys()) call.hangUp("caller");
      let stop = () => {};
      const late = new Promise<void>((resolve) => void (stop = after(closingMs, resolve)));
      await Promise.race([late, Promise.all(transport.open.values())]);
      stop();
      await lines.close();
    },
  };
}

async function findRecording({ routes, after }: HttpTransport, copy: CarrierCopy): Promise<CarrierFile | null> {
  const route = routes.find((one) => providerOf(one) === copy.provider);
  if (route === undefined) throw new Error(`no account is set up for ${copy.provider}`);
  return findWhole(route, { copy, after, isPatient: false });
}

interface HttpTransport extends Omit<VoiceTransportOptions, "accounts" | "limits"> {
  routes: readonly AccountRoute[];
  /** Calls in progress; each resolves with its end. */
  open: Map<HttpCall, Promise<void>>;
}

const isFree = ({ account, calls }: AccountRoute) => calls < account.channels;

function reaching(routes: readonly AccountRoute[], call: OutgoingCall): AccountRoute[] {
  return routes.filter(({ account }) => reachesNumber(account.reach, call));
}

/** The accounts with a free channel for a call, in the order in which they are tried. */
function rankFree(routes: readonly AccountRoute[], call: OutgoingCall): AccountRoute[] {
  return rankByWeight(reaching(routes, call).filter(isFree), call.call_id, ({ account }) => account);
}

function countFree(routes: readonly AccountRoute[]): (number: Destination) => boolean {
  const counted = routes.map(({ account, calls }) => ({ reach: account.reach, left: account.channels - calls }));
  return (number) => {
    const fitting = counted.filter(({ reach }) => reachesNumber(reach, number));
    const free = fitting.find(({ left }) => left > 0);
    if (free !== undefined) free.left -= 1;
    return free !== undefined || fitting.length === 0;
  };
}

/** Takes a channel of the first account; null if each is full. If no account serves the number, dialing says so. */
function reserve(transport: HttpTransport, call: OutgoingCall): CallLine | null {
  const ranked = rankFree(transport.routes, call);
  const [first] = ranked;
  if (first === undefined && reaching(transport.routes, call).length > 0) return null;
  const count = (change: 1 | -1) => void (first !== undefined && (first.calls += change));
  count(1);
  return {
    name: first === undefined ? "http" : providerOf(first),
    isUnusable: first === undefined,
    dial(outgoing, handlers) {
      count(-1);
      return dial(transport, ranked, { call: outgoing, handlers });
    },
    release: () => count(-1),
  };
}

function dial(
  transport: HttpTransport,
  ranked: readonly AccountRoute[],
  { call, handlers }: { call: OutgoingCall; handlers: CallHandlers },
): CallDial {
  const { ctx, open, lines, recordings, after, onAnswer } = transport;
  const over = Promise.withResolvers<void>();
  const own: HttpCall = new HttpCall({
    ...{ ctx, recordings, lines, after, call, routes: ranked, onAnswer },
    handlers: {
      ...handlers,
      ended(end, at) {
        open.delete(own);
        over.resolve();
        handlers.ended(end, at);
      },
    },
  });
  if (reaching(transport.routes, call).length === 0) {
    handlers.ended(unplaced("no_route", "No carrier is set up for this number."), ctx.now());
  } else if (ranked.length === 0) {
    handlers.ended(unplaced("channels_busy", "Every account has reached its limit of concurrent calls."), ctx.now());
  } else {
    open.set(own, over.promise);
    void own.place();
  }
  return own;
}
