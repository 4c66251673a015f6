import { BadSound } from "#calls/index.ts";
import type { Ctx } from "#platform/index.ts";
import { classifyExchange } from "../account/classify-exchange.ts";
import { authorizationOf, type Client, createClient } from "../account/client.ts";
import { isMissing } from "./classify-call.ts";
import type { VoiceAccount } from "./settings.ts";

/** A carrier's description of a recording. */
export interface CarrierRecording {
  sid: string;
  isComplete: boolean;
  /** true: recorded by a verb; false: the whole call. */
  isVerb: boolean;
}

/** The requests about calls that one account supports. */
export interface VoiceClient extends Client {
  recordings(callSid: string): Promise<CarrierRecording[] | null>;
  /** The WAV, or null if it can't be downloaded. Throws BadSound if it is too large. */
  download(recordingSid: string, channels: 1 | 2): Promise<Buffer | null>;
  /** Throws unless the carrier confirms it. One that it says it doesn't have counts as deleted. */
  deleteRecording(recordingSid: string): Promise<void>;
}

const wavLimits = { firstByteMs: 20_000, totalMs: 120_000, bodyBytes: 128 * 1_024 * 1_024 };
const never = new AbortController().signal;

/** A carrier's id that is safe to put in an address. */
export const sidPattern = /^[A-Za-z0-9_-]{1,64}$/;

export function createVoiceClient(
  ctx: Pick<Ctx, "egress">,
  account: VoiceAccount,
  limits?: Parameters<typeof createClient>[0]["limits"],
): VoiceClient {
  const client = createClient({ account, request: (given) => ctx.egress.request(given), ...(limits === undefined ? {} : { limits }) });
  const address = (path: string) => `${account.base}/Accounts/${account.accountSid}${path}`;
  const common = {
    owner: `carrier ${account.name}`,
    trusted: true,
    headers: { "user-agent": "Tillpost/1", authorization: authorizationOf(account) },
  };
  return {
    ...client,
    async recordings(callSid) {
      const answer = await client.get(`/Calls/${callSid}/Recordings.json?PageSize=100`, never);
      return answer.kind === "done" ? readRecordings(answer.body["recordings"]) : null;
    },
    async download(recordingSid, channels) {
      const url = address(`/Recordings/${recordingSid}.wav${channels === 2 ? "?RequestedChannels=2" : ""}`);
      const exchange = await ctx.egress.request({ ...common, url, method: "GET", limits: wavLimits });
      if (exchange.status !== 200) return null;
      if (exchange.truncated) throw new BadSound("The recording is larger than 128 MB.");
      return exchange.body;
    },
    async deleteRecording(recordingSid) {
      const exchange = await ctx.egress.request({ ...common, url: address(`/Recordings/${recordingSid}.json`), method: "DELETE" });
      const { status } = exchange;
      if (status === null) throw new Error(`the carrier didn't confirm a deletion: ${exchange.error_code}`);
      const isDone = (status >= 200 && status < 300) || isMissing(classifyExchange(exchange));
      if (!isDone) throw new Error(`the carrier refused a deletion with ${status}`);
    },
  };
}

/** Of these, nothing will ever be heard. */
const missing: readonly unknown[] = ["absent", "failed", "deleted"];

/** null if it isn't a list: an empty one would mean that there is nothing to fetch, or that it was deleted. */
function readRecordings(list: unknown): CarrierRecording[] | null {
  if (!Array.isArray(list)) return null;
  return list.flatMap((one: { sid?: unknown; status?: unknown; source?: unknown } | null) => {
    if (missing.includes(one?.status)) return [];
    if (typeof one?.sid !== "string" || !sidPattern.test(one.sid)) return [];
    return [{ sid: one.sid, isComplete: one.status === "completed", isVerb: one.source === "RecordVerb" }];
  });
}
