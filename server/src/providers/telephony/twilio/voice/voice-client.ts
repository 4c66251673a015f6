import { BadSound, CarrierAway } from "#calls/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Answer } from "../account/answer.ts";
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

/** The requests about calls that one account supports. Those about recordings throw CarrierAway if the carrier doesn't respond. */
export interface VoiceClient extends Client {
  /** Throws if the carrier doesn't list them. */
  recordings(callSid: string): Promise<CarrierRecording[]>;
  /** The WAV. Throws if it can't be downloaded, with BadSound if it is too large. */
  download(recordingSid: string, channels: 1 | 2): Promise<Buffer>;
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
      if (answer.kind !== "done") throw faultOf("list a call's recordings", answer);
      return readRecordings(answer.body["recordings"]);
    },
    async download(recordingSid, channels) {
      const url = address(`/Recordings/${recordingSid}.wav${channels === 2 ? "?RequestedChannels=2" : ""}`);
      const exchange = await ctx.egress.request({ ...common, url, method: "GET", limits: wavLimits });
      if (exchange.status !== 200) throw faultOf("hand over a recording", classifyExchange(exchange));
      if (exchange.truncated) throw new BadSound("The recording is larger than 128 MB.");
      return exchange.body;
    },
    async deleteRecording(recordingSid) {
      const exchange = await ctx.egress.request({ ...common, url: address(`/Recordings/${recordingSid}.json`), method: "DELETE" });
      if (exchange.status !== null && exchange.status >= 200 && exchange.status < 300) return;
      const answer = classifyExchange(exchange);
      if (!isMissing(answer)) throw faultOf("confirm a deletion", answer);
    },
  };
}

function faultOf(what: string, answer: Answer): Error {
  const reason = "reason" in answer ? answer.reason : "message" in answer ? answer.message : `it returned ${answer.status}`;
  const message = `the carrier didn't ${what}: ${reason}`;
  return isAway(answer) ? new CarrierAway(message) : new Error(message);
}

/** True if the carrier didn't respond, has a fault or is overloaded, rather than refusing this one request. */
function isAway(answer: Answer): boolean {
  if (answer.kind === "held" || answer.kind === "unknown") return true;
  return answer.kind === "deferred" && (answer.status === 429 || answer.status >= 500);
}

/** Of these, nothing will ever be heard. */
const missing: readonly unknown[] = ["absent", "failed", "deleted"];

function readRecordings(list: unknown): CarrierRecording[] {
  // Not an empty list: that would mean that there is nothing to fetch, or that it was deleted.
  if (!Array.isArray(list)) throw new Error("the carrier's list of a call's recordings can't be read");
  return list.flatMap((one: { sid?: unknown; status?: unknown; source?: unknown } | null) => {
    if (missing.includes(one?.status)) return [];
    if (typeof one?.sid !== "string" || !sidPattern.test(one.sid)) return [];
    return [{ sid: one.sid, isComplete: one.status === "completed", isVerb: one.source === "RecordVerb" }];
  });
}
