import type { Db } from "#platform/index.ts";
import type { Anchor, AnchorKeeper } from "./anchor-audit.ts";
import { listAnchorsAfter } from "./chain.sql.ts";

/**
 * Adds the anchors that a restored database has and its backup's file hasn't, because the database went on to a later time. Their seals
 * still prove that no one has changed them. It stops at one that doesn't follow, such as of an earlier version, and `doctor` reports that.
 */
export async function completeAnchors(db: Db, keeper: AnchorKeeper): Promise<void> {
  let last = (await keeper.list()).at(-1);
  for (const { anchor, follows } of await listAnchorsAfter(db, last?.at.slice(0, 10) ?? null)) {
    if (anchor === null || (follows !== null && follows !== last?.mac)) return;
    const next = JSON.parse(anchor) as Anchor;
    // A person had started the anchors again.
    if (follows === null && last !== undefined) await keeper.setAside(new Date(next.at));
    await keeper.add(next);
    last = next;
  }
}
