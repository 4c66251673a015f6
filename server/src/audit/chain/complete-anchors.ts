import type { Db } from "#platform/index.ts";
import { type AnchorKeeper, parseAnchor } from "./anchor-audit.ts";
import { listAnchorLines } from "./chain.sql.ts";

/**
 * Adds the anchors that a restored database has and its backup's file hasn't, because the database went on to a later time. Where a person
 * started the anchors again, the earlier ones are set aside again. What doesn't follow is left out, and `doctor` reports that; it also
 * checks the seals, which need the master keys.
 */
export async function completeAnchors(db: Db, keeper: AnchorKeeper): Promise<void> {
  let last = (await keeper.list()).at(-1);
  for (const { seal, follows, anchor } of await listAnchorLines(db, last === undefined ? null : new Date(last.at))) {
    const next = parseAnchor(anchor);
    if (next === null || seal === last?.mac || (follows !== null && follows !== last?.mac)) continue;
    if (follows === null && last !== undefined) await keeper.setAside(new Date(next.at));
    await keeper.add(next);
    last = next;
  }
}
