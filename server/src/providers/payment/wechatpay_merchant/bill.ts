import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type GatewayCall, GatewayError, type ListedLine, malformedAnswer, unanswered } from "#gateways/index.ts";
import { ask, type MerchantApi, signedHeaders } from "./exchange.ts";
import { parseBill } from "./parse-bill.ts";
import { beijingTime, text } from "./wire.ts";

const dayMs = 86_400_000;
/** Bills are available for three months. */
const maxDays = 92;
/** An unpacked bill with some 150,000 payments. It is packed to about a fifth, which a call of its kind accepts. */
const maxBillBytes = 64 * 1_048_576;
const unpack = promisify(gunzip);

/**
 * Lists what WeChat Pay settled, from its bills: one for each day in Beijing, ready at ten on the next. A day without payments has none.
 */
export async function listSettled(api: MerchantApi, { from, to }: { from: Date; to: Date }): Promise<ListedLine[]> {
  const days: ListedLine[][] = [];
  for (const day of daysOf(from, to)) days.push(await readBill(api, day));
  const all = days.flat();
  const lines = all.filter((line) => line.kind !== "unreadable");
  return [
    ...lines
      .filter(({ occurredAt }) => occurredAt >= from && occurredAt < to)
      .toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime()),
    ...all.filter((line) => line.kind === "unreadable"),
  ];
}

function daysOf(from: Date, to: Date): string[] {
  if (to.getTime() - from.getTime() > maxDays * dayMs) {
    throw new GatewayError("invalid", { code: "too_many_days", message: `WeChat Pay only has bills of the last ${maxDays} days.` });
  }
  const days = new Set<string>();
  for (let at = from.getTime(); at < to.getTime(); at += dayMs) days.add(beijingTime(new Date(at)).slice(0, 10));
  if (to > from) days.add(beijingTime(new Date(to.getTime() - 1)).slice(0, 10));
  return [...days];
}

async function readBill(api: MerchantApi, day: string): Promise<ListedLine[]> {
  const answered = await ask(api, {
    method: "GET",
    path: `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`,
    changes: false,
  }).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === "NO_STATEMENT_EXIST") return null;
    if (error.code !== "STATEMENT_CREATING") throw error;
    throw new GatewayError("unavailable", { code: error.code, message: `The bill for ${day} isn't ready.`, requestId: error.requestId });
  });
  if (answered === null) return [];
  const { wire, requestId } = answered;
  const [url, hash] = [text(wire ?? {}, "download_url"), text(wire ?? {}, "hash_value")];
  if (url === null || hash === null || !URL.canParse(url) || text(wire ?? {}, "hash_type") !== "SHA1")
    throw malformedAnswer(false, requestId);
  const bill = await download(api, pathOf(api.call, url));
  // The file itself isn't signed, but the signed response before it contains its hash.
  if (createHash("sha1").update(bill).digest("hex") !== hash.toLowerCase()) {
    throw new GatewayError("unavailable", {
      code: "hash",
      message: `The bill for ${day} doesn't match what WeChat Pay announced.`,
      requestId,
    });
  }
  const lines = await parseBill(bill, { day, appid: api.merchant.appid });
  if (lines === null) throw malformedAnswer(false, requestId);
  return lines;
}

/** Uses only the path and query of the address, so that every request stays on the API's own host. */
function pathOf({ baseUrl }: GatewayCall, url: string): string {
  if (url.startsWith(`${baseUrl}/`)) return url.slice(baseUrl.length);
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

async function download(api: MerchantApi, path: string): Promise<Buffer> {
  const { call } = api;
  const headers = { ...signedHeaders(api, { method: "GET", path, body: "" }), accept: "*/*" };
  let status: number;
  let bytes: Buffer;
  try {
    const answer = await call.fetch(`${call.baseUrl}${path}`, { method: "GET", headers, redirect: "manual" });
    status = answer.status;
    bytes = Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw unanswered(error, false);
  }
  if (status !== 200) throw new GatewayError("unavailable", { code: `http_${status}`, message: "The bill couldn't be downloaded." });
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return isPacked ? await unpack(bytes, { maxOutputLength: maxBillBytes }) : bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw malformedAnswer(false);
    throw new GatewayError("unavailable", { code: "too_many_lines", message: "The bill has too many payments to be read." });
  }
}
