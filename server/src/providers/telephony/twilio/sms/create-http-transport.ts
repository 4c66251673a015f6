import { carrierAddress, rankByWeight, reachesNumber } from "#messaging/index.ts";
import { type Ctx, isLoopbackUrl } from "#platform/index.ts";
import type { OutgoingSms, SmsOutcome, SmsTransport } from "#sms/index.ts";
import { type Client, createClient } from "../account/client.ts";
import { classifySubmission } from "./classify-submission.ts";
import { createRest, type Rest } from "./rest.ts";
import type { SmsAccount } from "./settings.ts";

export interface HttpTransportOptions {
  accounts: readonly SmsAccount[];
  /** Outbound requests, the address that carriers call back, and the clock. */
  ctx: Pick<Ctx, "egress" | "publicUrl" | "now">;
  report: HttpReport;
  limits?: Parameters<typeof createClient>[0]["limits"];
}

/** Called as the state of accounts changes. */
export interface HttpReport {
  up(account: string): void;
  down(account: string, reason: string, retryMs: number): void;
  submitted(account: string, outcome: { result: SmsOutcome["result"]; reason: string | null }, seconds: number): void;
}

export interface AccountState {
  name: string;
  isUp: boolean;
  /** When it's used again; null if it's in use. */
  restsUntil: Date | null;
  inUse: number;
  window: number;
}

export interface HttpTransport extends SmsTransport {
  accounts(): AccountState[];
}

interface AccountRoute {
  account: SmsAccount;
  client: Client;
  rest: Rest;
  inUse: number;
}

/** SMS over Twilio's HTTP API, which other carriers support too, through all configured accounts. */
export function createHttpTransport({ accounts, ctx, report, limits }: HttpTransportOptions): HttpTransport {
  const routes = accounts.map((account): AccountRoute => {
    const rest = createRest({
      now: ctx.now,
      up: () => report.up(account.name),
      down: (reason, retryMs) => report.down(account.name, reason, retryMs),
    });
    const client = createClient({ account, request: (given) => ctx.egress.request(given), ...(limits === undefined ? {} : { limits }) });
    return { account, client, rest, inUse: 0 };
  });
  const isAble = ({ rest }: AccountRoute) => rest.until() === null;
  return {
    name: "http",
    concurrency: accounts.reduce((sum, { window }) => sum + window, 0),
    takes: (number) => accounts.some(({ reach }) => reachesNumber(reach, number)),
    isOpen: () => routes.some(isAble),
    share: (number) =>
      routes
        .filter((route) => isAble(route) && reachesNumber(route.account.reach, number))
        .reduce((sum, { account }) => sum + account.weight, 0),
    send: (sms, signal) => send({ routes, ctx, report }, sms, signal),
    accounts: () =>
      routes.map(({ account, rest, inUse }) => ({
        name: account.name,
        isUp: rest.until() === null,
        restsUntil: rest.until(),
        inUse,
        window: account.window,
      })),
    close: async () => {},
  };
}

type Parts = Pick<HttpTransportOptions, "ctx" | "report"> & { routes: readonly AccountRoute[] };

async function send({ routes, ctx, report }: Parts, sms: OutgoingSms, signal: AbortSignal): Promise<SmsOutcome> {
  const refused = (code: string, message: string): SmsOutcome => ({
    provider: "http",
    sent: [],
    result: "refused",
    code,
    message,
    provider_code: null,
  });
  if (!routes.some(({ account }) => reachesNumber(account.reach, sms))) return refused("no_route", "No carrier is set up for this number.");
  if (sms.firstPart > 0) return refused("no_route", "The carrier that has its first parts is no longer set up.");
  const seconds = validityOf(sms.expires_at, ctx.now());
  if (seconds < 1) return refused("expired", "The message expired before it could be sent.");
  const able = routes.filter(
    ({ account, rest, inUse }) => rest.until() === null && inUse < account.window && reachesNumber(account.reach, sms),
  );
  const ranked = rankByWeight(able, sms.sms_id, ({ account }) => account);
  const route = ranked[sms.turn % Math.max(ranked.length, 1)];
  if (route === undefined)
    return {
      provider: "http",
      sent: [],
      result: "held",
      until: soon(ctx),
      reason: "no carrier for this number accepts messages right now",
    };
  const began = performance.now();
  route.inUse += 1;
  const answer = await route.client.post("/Messages.json", formOf(ctx, route.account, { sms, seconds }), signal);
  route.inUse -= 1;
  const { outcome, rests } = classifySubmission(answer, soon(ctx));
  const reason = "reason" in outcome ? outcome.reason : outcome.result === "accepted" ? null : outcome.message;
  if (rests !== null) route.rest.begin(reason ?? "", rests.durationMs);
  else if (outcome.result === "accepted") route.rest.end();
  report.submitted(route.account.name, { result: outcome.result, reason }, (performance.now() - began) / 1_000);
  const provider = `http:${route.account.name}`;
  if (outcome.result !== "accepted") return { provider, sent: [], ...outcome };
  return { provider, sent: [{ index: 0, provider_message_id: outcome.id }], result: "accepted" };
}

/** Another account may accept it sooner than this one. */
function soon({ now }: Pick<Ctx, "now">): Date {
  return new Date(now().getTime() + 1_000 + Math.random() * 2_000);
}

/** The longest validity that Twilio accepts, in seconds. */
const longestS = 36_000;

function validityOf(expiresAt: Date, now: Date): number {
  return Math.min(Math.floor((expiresAt.getTime() - now.getTime()) / 1_000), longestS);
}

function formOf(
  { publicUrl }: Pick<Ctx, "publicUrl">,
  account: SmsAccount,
  { sms, seconds }: { sms: OutgoingSms; seconds: number },
): Record<string, string> {
  const { to, from, body, project_id, sms_id } = sms;
  // A carrier may refuse the message if it can't reach the callback address.
  const isReachable = !isLoopbackUrl(publicUrl) || isLoopbackUrl(account.base);
  const path = `status?${new URLSearchParams({ project: project_id, message: sms_id })}`;
  return {
    To: to,
    From: from.value,
    ...(account.messagingService === null ? {} : { MessagingServiceSid: account.messagingService }),
    Body: body,
    ValidityPeriod: String(seconds),
    ...(isReachable ? { StatusCallback: carrierAddress({ publicUrl }, { channel: "sms" }, { account: account.name, path }) } : {}),
  };
}
