import { type Ctx, noSuchTimeZone, platformErrors, readTimeZone, type Tenant } from "#platform/index.ts";
import { daysOf } from "./days-of.ts";
import {
  countOrders,
  type DisputedRow,
  findReviewSeconds,
  listDisputed,
  listPaid,
  listRefunded,
  type PaidRow,
  type RefundedRow,
} from "./sql.ts";

export interface FiguresInput {
  /** Thirty days before the end if null. */
  from: Date | null;
  /** Now if null. */
  to: Date | null;
  /** IANA name; days begin at its midnight. */
  time_zone: string;
}

const maxDays = 400;
const usualDays = 30;
const dayMs = 86_400_000;

/**
 * What a project received and refunded in a period, and what disputes took, by day and by channel, with the number of paid orders and the
 * duration of reviews.
 */
export async function findFigures(ctx: Ctx, tenant: Tenant, input: FiguresInput) {
  const time_zone = readTimeZone(input.time_zone);
  const to = input.to ?? ctx.now();
  const from = input.from ?? new Date(to.getTime() - usualDays * dayMs);
  if (to <= from)
    throw platformErrors.parameter_invalid({ param: "to", reason: "end_before_start", message: "The end must be after the start." });
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw platformErrors.parameter_invalid({
      param: "from",
      reason: "too_many_days",
      values: { max: maxDays },
      message: `The period can be up to ${maxDays} days.`,
    });
  if (time_zone === null)
    throw platformErrors.parameter_invalid({ param: "time_zone", reason: "no_such_time_zone", message: noSuchTimeZone });
  const span = { from, to };
  const spanDays = daysOf(span, time_zone);
  const [paid, refunded, disputed, orders, review_seconds] = await Promise.all([
    listPaid(ctx.db, tenant, spanDays),
    listRefunded(ctx.db, tenant, spanDays),
    listDisputed(ctx.db, tenant, spanDays),
    countOrders(ctx.db, tenant, span),
    findReviewSeconds(ctx.db, tenant, span),
  ]);
  const { days, channels } = sumUp([...paid, ...refunded, ...disputed].map(withAll));
  return { object: "figures" as const, ...tenantOf(tenant), from, to, time_zone, days, channels, orders, review_seconds };
}

interface Sums {
  paid_count: number;
  paid_minor: number;
  refunded_minor: number;
  disputed_minor: number;
}

interface DaySums extends Sums {
  day: string;
  currency: string;
  gateway: string | null;
}

const noSums: Sums = { paid_count: 0, paid_minor: 0, refunded_minor: 0, disputed_minor: 0 };
const withAll = (row: PaidRow | RefundedRow | DisputedRow): DaySums => ({ ...noSums, ...row });

/** The same money twice: by day, and by channel with the largest sum first. */
function sumUp(rows: DaySums[]) {
  const days = sumBy(rows, ({ day, currency }) => ({ day, currency }));
  const channels = sumBy(rows, ({ gateway, currency }) => ({ gateway: gateway ?? "", currency })).filter(({ gateway }) => gateway !== "");
  return {
    days: days.toSorted((left, right) => order(left.day, right.day) || order(left.currency, right.currency)),
    channels: channels.toSorted((left, right) => right.paid_minor - left.paid_minor || order(left.gateway, right.gateway)),
  };
}

function order(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function sumBy<T extends object>(rows: DaySums[], nameOf: (row: DaySums) => T): (T & Sums)[] {
  const sums = new Map<string, T & Sums>();
  for (const row of rows) {
    const name = nameOf(row);
    const key = Object.values(name).join(" ");
    const sum = sums.get(key) ?? { ...name, ...noSums };
    sums.set(key, {
      ...sum,
      paid_count: sum.paid_count + row.paid_count,
      paid_minor: sum.paid_minor + row.paid_minor,
      refunded_minor: sum.refunded_minor + row.refunded_minor,
      disputed_minor: sum.disputed_minor + row.disputed_minor,
    });
  }
  return [...sums.values()];
}

function tenantOf({ project_id, livemode }: Tenant): Tenant {
  return { project_id, livemode };
}
