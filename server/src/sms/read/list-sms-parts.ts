import type { Ctx, Tenant } from "#platform/index.ts";
import { listParts } from "../rows.sql.ts";
import type { PartRow, SmsRow } from "../shapes.ts";
import { charactersBeyondGsm7, countUnits, sizes, splitText } from "../text/split-text.ts";
import { findSms } from "./find-sms.ts";

/** One part of an outbound message: its content, and its carrier's report. */
export interface SmsPartView {
  /** The message's id and the part's number, from 1. */
  id: string;
  sms: SmsRow;
  place: number;
  /** null once the text is no longer retained. Likewise `units`. */
  text: string | null;
  units: number | null;
  unitsPerPart: number;
  beyondGsm7: string[];
  /** null until a carrier accepts it. */
  carried: PartRow | null;
}

/** The parts of an outbound message in order; none for an inbound one. Throws resource_missing. */
export async function listSmsParts(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<SmsPartView[]> {
  const { sms, body } = await findSms(ctx, tenant, id);
  const { encoding } = sms;
  if (sms.direction === "inbound" || encoding === "binary") return [];
  const carried = new Map((await listParts(ctx.db, [sms])).map((part) => [part.place, part]));
  const texts = body === null ? [] : splitText(body).segments;
  const { single, each } = sizes[encoding];
  return Array.from({ length: sms.segments }, (_none, place) => {
    const text = texts[place] ?? null;
    return {
      ...{ id: `${id}.${place + 1}`, sms, place, text },
      units: text === null ? null : countUnits(text, encoding),
      unitsPerPart: sms.segments === 1 ? single : each,
      beyondGsm7: text === null ? [] : charactersBeyondGsm7(text),
      carried: carried.get(place) ?? null,
    };
  });
}
