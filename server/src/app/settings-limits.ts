import Type from "typebox";
import { inGroup, type Setting, secret } from "./settings/setting.ts";
import { capsFault, paceFault, quotasFault, redisFault, tiersFault } from "./settings-faults.ts";

const limits = inGroup("Limits");
const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const text = Type.String({ minLength: 1 });
const list = Type.Array(Type.String({ minLength: 1 }));
const perMinute = integer(1, 1_000_000);

/** How much each key, address, link and number may do, and where it is counted. */
export const limitSettings = {
  RATE_LIMIT_LIVE: limits(perMinute, 6000, "Requests per minute for a LIVE key, per endpoint."),
  RATE_LIMIT_TEST: limits(perMinute, 1500, "Requests per minute for a TEST key, per endpoint."),
  RATE_LIMIT_BURST: limits(integer(1, 100_000), 200, "Concurrent requests for one key. Requests beyond that wait for up to two seconds."),
  RATE_LIMIT_UNAUTHENTICATED: limits(perMinute, 60, "Requests per minute from an address without valid credentials."),
  RATE_LIMIT_SIGN_IN: limits(perMinute, 5, "Sign-in attempts per minute for one account from one address."),
  RATE_LIMIT_SIGN_IN_PER_ACCOUNT: limits(perMinute, 20, "Sign-in attempts per minute for one account, from anywhere."),
  RATE_LIMIT_SIGN_IN_PER_ADDRESS: limits(perMinute, 30, "Sign-in attempts per minute from one address, for any account."),
  RATE_LIMIT_TIERS: limits(
    list,
    [],
    "Changes to the tiers' messaging API limits per key, each `<tier>.<limit>=<number>` with the tiers `free`, `starter`, `pro`, `enterprise` and the limits `emails`, `sms`, `calls`, `verifications`, `reads`, `general` (per minute), `burst` (at once), `email_batches`, `sms_batches`, `control` (per hour).",
    tiersFault,
  ),
  QUOTA_TIERS: limits(
    list,
    [],
    "Changes to the tiers' daily quotas per project and environment, each `<tier>.<unit>=<number>` with the units `emails`, `sms_segments` and `calls`. Defaults: `free` 1 000 emails, 100 SMS parts and 50 calls, `starter` 50 000, 5 000 and 1 000, `pro` 1 000 000, 100 000 and 20 000, `enterprise` 10 000 000, 1 000 000 and 500 000.",
    quotasFault,
  ),
  CAP_TIERS: limits(
    list,
    [],
    "Changes to the tiers' caps on LIVE SMS and calls, each `<tier>.<cap>=<number>` with the caps `daily_spend_micros` and `monthly_spend_micros` (millionths of the price table's currency), `daily_segments`, `monthly_segments`, `daily_minutes` and `monthly_minutes` (if there are no prices), and `calls_at_once`.",
    capsFault,
  ),
  RECIPIENT_PACE: limits(
    list,
    [],
    "Changes to how many LIVE SMS and calls one number can get from a project, each `<sms or call>=<count>/<seconds>`; a window shorter than a day is the short one. Defaults: 5 SMS in 600 seconds and 20 in a day, 2 calls in 600 seconds and 10 in a day.",
    paceFault,
  ),
  CALLS_AT_ONCE: limits(
    integer(1, 1_000),
    10,
    "Concurrent calls in each project and environment across all processes, unless the operator sets another number for a project or its tier allows fewer. Additional calls wait until one has ended.",
  ),
  LIMITS_STORE: limits(
    Type.Enum(["memory", "redis", "postgres"]),
    null,
    "Where limits are counted: `memory` for one process; `redis` (or Valkey) or `postgres` if several processes serve. Defaults to `redis` if `REDIS_URL` is set, otherwise `memory`.",
  ),
  REDIS_URL: secret(
    limits(
      text,
      null,
      "Redis or Valkey for the limits of several processes: `redis://user:password@host:6379/0` or `rediss://`.",
      redisFault,
    ),
  ),
  LIMITS_NODES: limits(
    integer(1, 1_000),
    1,
    "How many processes share this store. While it's down, each process allows its share of every limit.",
  ),
  RATE_LIMIT_LINK_READS: limits(perMinute, 120, "Reads per minute of one payment link."),
  RATE_LIMIT_LINK_READS_PER_ADDRESS: limits(
    perMinute,
    1200,
    "Reads per minute of payment links, and of images and recordings by their signed addresses, from one address, or from one /64 for IPv6.",
  ),
  RATE_LIMIT_LINK_INITIATE: limits(perMinute, 10, "Payments per minute that can be started on one payment link."),
  RATE_LIMIT_LINK_PROOFS: limits(perMinute, 5, "Payment proofs per hour on one payment link."),
  STREAMS_PER_LINK: limits(integer(1, 10_000), 5, "Concurrent event streams on one payment link."),
  STREAMS_PER_ADDRESS: limits(integer(1, 100_000), 50, "Concurrent event streams of payment links from one address."),
} satisfies Record<string, Setting>;
