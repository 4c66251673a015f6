import type { Ctx, Tenant } from "#platform/index.ts";
import type { CodeChannel } from "../shapes.ts";
import { type ConversionRow, listConversion } from "./conversion.sql.ts";

/** More channels and countries than a page shows. */
const maxRows = 100;

/** How many of the ended verifications that started in the last `days` days were approved: by channel and country. */
export function findConversion(
  ctx: Ctx,
  tenant: Tenant,
  { days, readable }: { days: number; readable: readonly CodeChannel[] },
): Promise<ConversionRow[]> {
  return listConversion(ctx.db, tenant, { days, readable, limit: maxRows });
}
