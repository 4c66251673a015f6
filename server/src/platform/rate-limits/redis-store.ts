import { createHash } from "node:crypto";
import { windowAheadMs } from "./limits.ts";
import type { SharedStore } from "./shared-limits.ts";

/** One window, in one step, on the store's clock. Refused requests write nothing. */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, length, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local latest = now + length + ${windowAheadMs}
local found = redis.call('HMGET', KEYS[1], 'used', 'ends')
local used, ends = tonumber(found[1]), tonumber(found[2])
if not ends or ends <= now or ends > latest then
  used = 0
  ends = now + length
end
local granted = math.max(0, math.min(count, limit - used))
if granted > 0 then
  used = used + granted
  redis.call('HSET', KEYS[1], 'used', used, 'ends', ends)
  redis.call('PEXPIREAT', KEYS[1], ends)
end
return {granted, used, ends, now}`;

const giveBackScript = `
local found = redis.call('HMGET', KEYS[1], 'used', 'ends')
if tonumber(found[2]) == tonumber(ARGV[1]) and tonumber(found[1]) > 0 then redis.call('HINCRBY', KEYS[1], 'used', -1) end
return 0`;

const connectTimeoutMs = 2_000;
const longestPauseMs = 2_000;

/**
 * Windows in Redis or Valkey. Connects in the background and again whenever the connection is lost; without one, every question fails
 * immediately.
 */
export async function openRedisLimits(url: string, prefix = "tillpost:limit:"): Promise<SharedStore> {
  // Loaded only if needed: a process without it starts faster.
  const { createClient } = await import("@redis/client");
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 10), longestPauseMs) },
  });
  // The failed question reports the loss; the client itself keeps trying.
  client.on("error", () => undefined);
  client.connect().catch(() => undefined);
  const run = (script: string, key: string, values: (string | number)[]) => {
    const given = { keys: [prefix + key], arguments: values.map(String) };
    return client.evalSha(shaOf(script), given).catch((error: Error) => {
      if (!error.message.startsWith("NOSCRIPT")) throw error;
      return client.eval(script, given);
    });
  };
  return {
    async take(window, { limit, windowMs }, count) {
      const [granted, used, resetsAtMs, nowMs] = (await run(takeScript, window, [limit, windowMs, count])) as [
        number,
        number,
        number,
        number,
      ];
      return { granted, used, resetsAtMs, nowMs };
    },
    release: (window, resetsAtMs) => run(giveBackScript, window, [resetsAtMs]).then(() => undefined),
    close: async () => {
      client.destroy();
    },
  };
}

const shas = new Map<string, string>();

function shaOf(script: string): string {
  const sha = shas.get(script) ?? createHash("sha1").update(script).digest("hex");
  shas.set(script, sha);
  return sha;
}
