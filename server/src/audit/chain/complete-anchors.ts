import type { Db } from "#platform/index.ts";
import { type Anchor, type AnchorKeeper, parseAnchor } from "./anchor-audit.ts";
import { findKeepsAnchors, listFollowing } from "./chain.sql.ts";

/**
 * Adds the anchors that a restored database has and its backup's file hasn't, because the database went on to a later time. Where a person
 * started the anchors again, the earlier ones are set aside again. What doesn't follow is left out, and `doctor` reports that; it also
 * checks the seals, which need the master keys.
 */
export async function completeAnchors(db: Db, keeper: AnchorKeeper): Promise<void> {
  if (!(await findKeepsAnchors(db))) return;
  const added = new Set<string>();
  let last = (await keeper.list()).at(-1);
  for (;;) {
    // By their seals, because the clock may have been set back in between.
    const isNew = ({ mac }: Anchor) => mac !== last?.mac && !added.has(mac);
    const next = last === undefined ? undefined : (await listParsed(db, last.mac)).find(isNew);
    const start = next === undefined ? await findStart(db, { last, isNew }) : undefined;
    if (start !== undefined && last !== undefined) await keeper.setAside(new Date(start.at));
    last = next ?? start;
    if (last === undefined) return;
    added.add(last.mac);
    await keeper.add(last);
  }
}

interface Reached {
  last: Anchor | undefined;
  isNew(anchor: Anchor): boolean;
}

/** The first anchor that follows no other and is later than the last one: the audit log only grows. */
async function findStart(db: Db, { last, isNew }: Reached): Promise<Anchor | undefined> {
  const starts = (await listParsed(db, null)).filter(isNew).sort(compare);
  return starts.find((start) => last === undefined || compare(start, last) > 0);
}

const compare = (one: Anchor, other: Anchor) => one.rows - other.rows || Date.parse(one.at) - Date.parse(other.at);

async function listParsed(db: Db, seal: string | null): Promise<Anchor[]> {
  return (await listFollowing(db, seal)).flatMap((text) => parseAnchor(text) ?? []);
}
