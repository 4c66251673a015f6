import { replacePolicy, replacePrices } from "#guards/index.ts";
import { insertPause } from "#guards/traffic/pauses.sql.ts";
import type { Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

interface Range {
  channel: "sms" | "call";
  prefix: string;
}

/** Blocks a project's LIVE messages to a range, as after thousands of consecutive numbers. */
export async function pauseRange({ ctx }: TestApp, { project_id }: Pick<Tenant, "project_id">, { channel, prefix }: Range): Promise<void> {
  const figures = { messages: 1_240, codes: 0, approved: 0, share_percent: 90, sequential_percent: 97 };
  const finding = { cause: "sequential_numbers", prefix, figures } as const;
  await ctx.transact((tx) => insertPause(tx, { project_id, livemode: true, channel, prefix }, { id: ctx.id("pau"), finding }));
}

/** A price table, destinations that operators closed and opened, and paused ranges. */
export async function fillGuards(app: TestApp, tenant: Pick<Tenant, "project_id">): Promise<void> {
  const csv = "channel,destination,price\nsms,US,0.0075\nsms,CN,0.032145\nsms,1876,0.21\ncall,US,0.013\ncall,*,0.04\n";
  await replacePrices(app.ctx, { currency: "USD", csv, if_version: null });
  const prefixes = { denied_prefixes: ["992935", "88213"], opened_prefixes: ["8816"] };
  await replacePolicy(app.ctx, { allowed_countries: null, denied_countries: ["TJ", "SO"], ...prefixes, if_version: null });
  await pauseRange(app, tenant, { channel: "sms", prefix: "99855" });
  await pauseRange(app, tenant, { channel: "call", prefix: "9985500" });
}
