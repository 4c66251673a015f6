import type { Registry } from "prom-client";
import { reachesCountry } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { createBindHold, type SmsIntake, type SmsTransport } from "#sms/index.ts";
import type { Settings } from "../config.ts";

/** What text messages need of the process that sends them. */
export interface SmsParts {
  ctx: Pick<Ctx, "db" | "id" | "log" | "now">;
  settings: Pick<Settings, "SMPP_BINDS">;
  intake: SmsIntake;
  /** Where the process shows its measurements, if it does. */
  registry?: Registry | undefined;
}

/** The ways that LIVE text messages can leave by, for whoever accepts them: nothing is connected. */
export function listSmsRoutes({ SMPP_BINDS }: SmsParts["settings"]): Pick<SmsTransport, "name" | "takes">[] {
  if (SMPP_BINDS === null) return [];
  const binds = readBinds(SMPP_BINDS);
  return [{ name: "smpp", takes: (country) => binds.some(({ countries }) => reachesCountry(countries, country)) }];
}

/** How LIVE text messages leave, by the settings; null where nothing is set. What speaks SMPP is loaded only where it is used. */
export async function openSms({ ctx, settings, intake, registry }: SmsParts): Promise<SmsTransport | null> {
  if (settings.SMPP_BINDS === null) return null;
  const { createSmppTransport } = await import("#providers/sms/smpp/create-smpp-transport.ts");
  const { countSubmits, measureBinds } = await import("./measure-smpp.ts");
  const count = registry === undefined ? () => {} : countSubmits(registry);
  const transport = createSmppTransport({
    binds: readBinds(settings.SMPP_BINDS),
    intake,
    now: ctx.now,
    hold: createBindHold(ctx),
    tell: {
      up: (bind) => ctx.log.info({ bind }, "bound to the carrier"),
      down: (bind, reason, retryMs) => ctx.log.warn({ bind, reason, retry_ms: Math.round(retryMs) }, "the bind to the carrier is down; messages wait"),
      submitted: count,
    },
  });
  if (registry !== undefined) measureBinds(registry, transport);
  return transport;
}
