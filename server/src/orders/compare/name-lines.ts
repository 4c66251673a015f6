import { callGateway, GatewayError, type OpenAccount, type SettledLine } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Compared } from "./fit.ts";
import { listNamedPayments } from "./sql.ts";

/** How many payments of one list the provider is asked about: all of them may be another program's. */
const maxAsked = 100;
/** How many lines are looked up at once. */
const portion = 200;

/**
 * A provider's list with our references, where the list may leave them out: the provider is asked about payments that nothing else
 * identifies, up to a limit. Throws GatewayError if it doesn't respond.
 */
export async function nameLines(
  ctx: Ctx,
  account: Compared,
  { opened, lines }: { opened: OpenAccount; lines: readonly SettledLine[] },
): Promise<readonly SettledLine[]> {
  if (opened.account.findReference === undefined) return lines;
  const named: SettledLine[] = [];
  let asked = 0;
  for (let at = 0; at < lines.length; at += portion) {
    const some = lines.slice(at, at + portion);
    const ids = some.map(unnamedId).filter((id) => id !== null);
    const known = ids.length === 0 ? [] : await listNamedPayments(ctx.db, account, { references: [], ids });
    for (const line of some) {
      const id = unnamedId(line);
      const isAsked = id !== null && asked < maxAsked && known.every(({ capture_id }) => capture_id !== id);
      if (isAsked) asked += 1;
      named.push(isAsked ? { ...line, reference: await askReference(ctx, opened, id) } : line);
    }
  }
  if (asked === maxAsked)
    ctx.log.warn({ gateway: account.gateway, credential: account.credential_id }, "a list has too many payments without a reference");
  return named;
}

function unnamedId({ kind, reference, captureId }: SettledLine): string | null {
  return kind === "payment" && reference === null ? captureId : null;
}

/** As a part of reading the list: whether it succeeds says nothing about payments. */
async function askReference(ctx: Ctx, opened: OpenAccount, captureId: string): Promise<string | null> {
  try {
    return await callGateway(
      ctx,
      { opened, verb: "list_settled", reference: null },
      async (account, call) => (await account.findReference?.(call, captureId)) ?? null,
    );
  } catch (error) {
    if (error instanceof GatewayError && (error.kind === "not_found" || error.kind === "invalid")) return null;
    throw error;
  }
}
