import { type Ctx, noSuchTimeZone, platformErrors, readTimeZone, type Tenant } from "#platform/index.ts";
import { daysOf } from "./days-of.ts";
import { countOrders, findReviewSeconds, listPaid, type PaidRow } from "./sql.ts";

export interface FiguresInput {
  /** Thirty days before the end when null. */
  from: Date | null;
  /** Now when null. */
  to: Date | null;
  /** IANA name; days begin at its midnight. */
  time_zone: string;
}

const mostDays = 400;
const usualDays = 30;
const dayMs = 86_400_000;

/** What a project took in a span of time, by day and by channel, with how many orders were paid and how long reviews took. */
export async function findFigures(ctx: Ctx, tenant: Tenant, input: FiguresInput) {
  const time_zone = readTimeZone(input.time_zone);
  const to = input.to ?? ctx.now();
  const from = input.from ?? new Date(to.getTime() - usualDays * dayMs);
  if (to <= from) throw platformErrors.parameter_invalid({ param: "to", reason: "end_before_start", message: "The end must lie after the beginning." });
  if (to.getTime() - from.getTime() > mostDays * dayMs)
    throw platformErrors.parameter_invalid({ param: "from", reason: "too_many_days", values: { max: mostDays }, message: `At most ${mostDays} days.` });
  if (time_zone === null) throw platformErrors.parameter_invalid({ param: "time_zone", reason: "no_such_time_zone", message: noSuchTimeZone });
  const span = { from, to };
  const [paid, orders, review_seconds] = await Promise.all([
    listPaid(ctx.db, tenant, daysOf(span, time_zone)),
    countOrders(ctx.db, tenant, span),
    findReviewSeconds(ctx.db, tenant, span),
  ]);
  const { days, channels } = sumUp(paid);
  return { object: "figures" as const, ...tenantOf(tenant), from, to, time_zone, days, channels, orders, review_seconds };
}

/** The same money twice: by day, and by channel with the largest sum first. */
function sumUp(paid: PaidRow[]) {
  const days = sumBy(paid, ({ day, currency }) => ({ day, currency }));
  const channels = sumBy(paid, ({ gateway, currency }) => ({ gateway: gateway ?? "", currency })).filter(({ gateway }) => gateway !== "");
  return { days, channels: channels.toSorted((left, right) => right.paid_minor - left.paid_minor || (left.gateway < right.gateway ? -1 : 1)) };
}

function sumBy<T extends object>(paid: PaidRow[], nameOf: (row: PaidRow) => T): (T & Pick<PaidRow, "paid_count" | "paid_minor">)[] {
  const sums = new Map<string, T & Pick<PaidRow, "paid_count" | "paid_minor">>();
  for (const row of paid) {
    const name = nameOf(row);
    const key = Object.values(name).join(" ");
    const sum = sums.get(key) ?? { ...name, paid_count: 0, paid_minor: 0 };
    sums.set(key, { ...sum, paid_count: sum.paid_count + row.paid_count, paid_minor: sum.paid_minor + row.paid_minor });
  }
  return [...sums.values()];
}

function tenantOf({ project_id, livemode }: Tenant): Tenant {
  return { project_id, livemode };
}
