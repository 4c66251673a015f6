import type { Registry } from "prom-client";
import { type Destination, reachesNumber, type TransportBoard } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { accountsOf } from "#providers/sms/smpp/settings/accounts.ts";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { createBindHold, type SmsIntake, type SmsTransport } from "#sms/index.ts";
import type { Settings } from "../config.ts";

type SmsSettings = Pick<Settings, "SMPP_BINDS" | "SMS_HTTP_URL">;

/** What SMS need from the process that sends them. */
export interface SmsParts {
  ctx: Pick<Ctx, "db" | "egress" | "id" | "log" | "now" | "publicUrl">;
  settings: SmsSettings;
  intake: SmsIntake;
  /** Where the process shows its metrics, if it does. */
  registry?: Registry | undefined;
  /** Where operators see the state of binds and accounts. */
  board?: TransportBoard | undefined;
}

/** The transports of LIVE SMS, for processes that accept them: nothing is connected. */
export function listSmsRoutes({ SMPP_BINDS, SMS_HTTP_URL }: SmsSettings): Pick<SmsTransport, "name" | "takes" | "connections">[] {
  const binds = SMPP_BINDS === null ? [] : readBinds(SMPP_BINDS);
  const accounts = SMS_HTTP_URL === null ? [] : readSmsAccounts(SMS_HTTP_URL);
  return [
    ...(binds.length === 0
      ? []
      : [
          {
            name: "smpp",
            connections: accountsOf(binds),
            takes: (number: Destination) => binds.some(({ countries }) => reachesNumber(countries, number)),
          },
        ]),
    ...(accounts.length === 0
      ? []
      : [{ name: "http", takes: (number: Destination) => accounts.some(({ reach }) => reachesNumber(reach, number)) }]),
  ];
}

/** Opens the configured transports of LIVE SMS; none if nothing is set. The code for carriers is loaded only if it's used. */
export async function openSms(parts: SmsParts): Promise<SmsTransport[]> {
  const opened = [await openSmpp(parts), await openHttp(parts)];
  return opened.filter((transport) => transport !== null);
}

async function openSmpp({ ctx, settings, intake, registry, board }: SmsParts): Promise<SmsTransport | null> {
  if (settings.SMPP_BINDS === null) return null;
  const { createSmppTransport } = await import("#providers/sms/smpp/create-smpp-transport.ts");
  const { countSubmits, measureBinds } = await import("./measure-smpp.ts");
  const count = registry === undefined ? () => {} : countSubmits(registry);
  const { watchBinds } = await import("./watch-binds.ts");
  const binds = readBinds(settings.SMPP_BINDS);
  const names = binds.map(({ name }) => name);
  const watched = board === undefined ? null : watchBinds(board, names);
  const transport = createSmppTransport({
    binds,
    intake,
    now: ctx.now,
    hold: createBindHold(ctx),
    report: {
      up(bind) {
        ctx.log.info({ bind }, "bound to the carrier");
        watched?.up(bind);
      },
      down(bind, reason, retryMs) {
        ctx.log.warn({ bind, reason, retry_ms: Math.round(retryMs) }, "the bind to the carrier is down; messages wait");
        watched?.down(bind, reason);
      },
      submitted(bind, status, seconds) {
        count(bind, status, seconds);
        watched?.submitted(bind, status);
      },
    },
  });
  watched?.of(transport);
  if (registry !== undefined) measureBinds(registry, transport);
  return transport;
}

async function openHttp({ ctx, settings, registry, board }: SmsParts): Promise<SmsTransport | null> {
  if (settings.SMS_HTTP_URL === null) return null;
  const { createHttpTransport } = await import("#providers/telephony/twilio/sms/create-http-transport.ts");
  const { countHttpSubmits, measureAccounts } = await import("./measure-http.ts");
  const { watchAccounts } = await import("../carriers/watch-accounts.ts");
  const count = registry === undefined ? () => {} : countHttpSubmits(registry);
  const accounts = readSmsAccounts(settings.SMS_HTTP_URL);
  const look = () =>
    transport
      .accounts()
      .map(({ name, inUse, window, restsUntil }) => ({ name, inFlight: inUse, capacity: window, pausedUntil: restsUntil }));
  const watched = board === undefined ? null : watchAccounts(board, "sms", { names: accounts.map(({ name }) => name), look });
  const transport = createHttpTransport({
    accounts,
    ctx,
    report: {
      up(account) {
        ctx.log.info({ account }, "the carrier accepts messages again");
        watched?.up(account);
      },
      down(account, reason, retryMs) {
        ctx.log.warn({ account, reason, retry_ms: retryMs }, "the carrier doesn't accept messages; they wait, or use another route");
        watched?.down(account, reason, new Date(ctx.now().getTime() + retryMs));
      },
      submitted(account, { result, reason }, seconds) {
        count(account, result, seconds);
        watched?.answered(account, { result: result === "accepted" || result === "refused" ? result : "failed", reason });
      },
    },
  });
  if (registry !== undefined) measureAccounts(registry, transport);
  return transport;
}
