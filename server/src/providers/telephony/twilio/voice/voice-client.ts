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
  /** The first recording of a call that is wanted, or null if the carrier lists all and none is. Throws if it doesn't list them. */
  findRecording(callSid: string, isWanted: (recording: CarrierRecording) => boolean): Promise<CarrierRecording | null>;
  /** The WAV. Throws if it can't be downloaded, with BadSound if it is too large. */
  download(recordingSid: string, channels: 1 | 2): Promise<Buffer>;
  /** Throws unless the carrier confirms it. One that it says it doesn't have counts as deleted. */
  deleteRecording(recordingSid: string): Promise<void>;
}

const wavLimits = { firstByteMs: 20_000, totalMs: 120_000, bodyBytes: 128 * 1_024 * 1_024 };
/** A call runs at most 500 verbs, and not every carrier lists as many recordings at once as were requested. */
const pagesMax = 50;
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
    findRecording: (callSid, isWanted) => findListed(client, { callSid, isWanted }),
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

async function findListed(
  client: Client,
  { callSid, isWanted }: { callSid: string; isWanted: (recording: CarrierRecording) => boolean },
): Promise<CarrierRecording | null> {
  let query: string | null = "?PageSize=100";
  for (let page = 0; query !== null; page += 1) {
    // Not null: what may be on another page would count as deleted.
    if (page === pagesMax) throw new Error(`the carrier's list of a call's recordings has more than ${pagesMax} pages`);
    const answer = await client.get(`/Calls/${callSid}/Recordings.json${query}`, never);
    if (answer.kind !== "done") throw faultOf("list a call's recordings", answer);
    const found = readRecordings(answer.body["recordings"]).find(isWanted);
    if (found !== undefined) return found;
    query = queryOf(answer.body["next_page_uri"]);
  }
  return null;
}

/** The query of the next page's address, or null if there is none. The rest isn't used: it could lead anywhere, with the credentials. */
function queryOf(address: unknown): string | null {
  if (address === undefined || address === null || address === "") return null;
  const query = typeof address === "string" ? URL.parse(address, "http://carrier")?.search : undefined;
  if (query === undefined || query === "") throw new Error("the carrier's list of a call's recordings can't be read");
  return query;
}

function faultOf(what: string, answer: Answer): Error {
  const reason = "reason" in answer ? answer.reason : "message" in answer ? answer.message : `it returned ${answer.status}`;
  const message = `the carrier didn't ${what}: ${reason}`;
  return isAway(answer) ? new CarrierAway(message) : new Error(message);
}

/** True if the carrier didn't respond, has a fault or is overloaded. A refusal, or a success that can't be read, is about one request. */
function isAway(answer: Answer): boolean {
  if (answer.kind === "held") return true;
  if (answer.kind === "unknown") return answer.isUnreadable !== true;
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
