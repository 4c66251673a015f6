import { limitConcurrency } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { BadSound, readWav } from "./read-wav.ts";
import { resample } from "./resample.ts";
import { takeTurns } from "./take-turns.ts";

const soundBytesMax = 10 * 1024 * 1024;
const limits = { firstByteMs: 10_000, totalMs: 20_000, bodyBytes: soundBytesMax };
/** Limits of concurrent audio files: each may have ten megabytes. Decoding is work, fetching is waiting. */
const [fetched, decoded] = [limitConcurrency(32), limitConcurrency(4)];
/** The maximum of one project: a call that skips from file to file could otherwise fill every slot with fetches from a slow server. */
const inTurn = takeTurns(6);

/** Fetches audio from a merchant's URL and prepares it for playing. Throws BadSound. */
export async function fetchSound(ctx: Ctx, tenant: Tenant, url: string): Promise<Buffer> {
  return inTurn(tenant, async () => {
    const file = await fetched(() => fetchFile(ctx, tenant, url));
    return decoded(() => resample(readWav(file)));
  });
}

async function fetchFile(ctx: Ctx, tenant: Tenant, url: string): Promise<Buffer> {
  const owner = `sound ${tenant.project_id} ${tenant.livemode}`;
  const exchange = await ctx.egress.request({ url, method: "GET", headers: { accept: "audio/wav, audio/x-wav" }, owner, limits });
  if (exchange.status === null) throw new BadSound(`The audio file couldn't be fetched: ${exchange.error_code}.`);
  if (exchange.status !== 200) throw new BadSound(`The audio file's address returned ${exchange.status}.`);
  if (exchange.truncated) throw new BadSound("The audio file is larger than 10 MB.");
  const type = exchange.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (/^(text|image|video)\//.test(type))
    throw new BadSound(`The audio file's address returned ${type.slice(0, 80)}. Serve it as audio/wav.`);
  return exchange.body;
}
