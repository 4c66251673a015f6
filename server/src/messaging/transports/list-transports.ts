import { type Ctx, findNow } from "#platform/index.ts";
import { type MergedTransport, mergeReports } from "./merge-reports.ts";
import type { TransportMinute } from "./shapes.ts";
import { findWaiting, listMinutes, listReports, type Waiting } from "./sql.ts";

/** Reports come every four seconds. */
const staleS = 30;
const shownMinutes = 30;

export interface ChannelTransports {
  channel: string;
  queue: Waiting;
  transports: (MergedTransport & { minutes: TransportMinute[] })[];
}

/** The state of the installation's transports by channel, with the number of waiting messages. */
export async function listTransports(ctx: Ctx): Promise<{ at: Date; channels: ChannelTransports[] }> {
  const [at, reports, minutes] = [await findNow(ctx.db), await listReports(ctx.db, staleS), await listMinutes(ctx.db, shownMinutes)];
  const merged = mergeReports(reports, at);
  const byName = Map.groupBy(minutes, ({ channel, name }) => `${channel} ${name}`);
  const minutesOf = ({ channel, name }: MergedTransport) =>
    (byName.get(`${channel} ${name}`) ?? []).map(({ minute, handed, failed }) => ({ minute, handed, failed }));
  const channels: ChannelTransports[] = [];
  for (const channel of ctx.channels.sending)
    channels.push({
      channel: channel.name,
      queue: await findWaiting(ctx.db, channel),
      transports: merged.filter((one) => one.channel === channel.name).map((one) => ({ ...one, minutes: minutesOf(one) })),
    });
  return { at, channels };
}
