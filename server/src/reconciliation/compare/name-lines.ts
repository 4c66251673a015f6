import { callGateway, type OpenAccount, type SettledLine } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { askAboutLine } from "./ask-about-line.ts";
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
      named.push(isAsked ? { ...line, reference: await askReference(ctx, account, { opened, id }) } : line);
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
function askReference(ctx: Ctx, account: Compared, { opened, id }: { opened: OpenAccount; id: string }): Promise<string | null> {
  const calling = { opened, verb: "list_settled", reference: null } as const;
  const question = () => callGateway(ctx, calling, async (at, call) => (await at.findReference?.(call, id)) ?? null);
  return askAboutLine(ctx, account, { question, refusals: ["not_found", "invalid", "auth", "declined", "conflict"] });
}
