const lengthMax = 64;
const candidatesMax = 100;

/**
 * The probably intended name, or null: another spelling of it (`amountMinor`), a part of it (`amount`), or a typo. Limited, because the
 * name is untrusted.
 */
export function findNear(name: string, known: readonly string[]): string | null {
  if (name.length > lengthMax) return null;
  const plain = plainOf(name);
  const candidates = known.slice(0, candidatesMax).map((candidate) => ({ candidate, plain: plainOf(candidate) }));
  const same = candidates.find((one) => one.plain === plain);
  if (same !== undefined) return same.candidate;
  const close = candidates
    .map((one) => ({ ...one, distance: distanceOf(plain, one.plain) }))
    .filter((one) => one.distance <= Math.min(3, Math.floor(Math.max(plain.length, one.plain.length) / 3)))
    .sort((left, right) => left.distance - right.distance)[0];
  if (close !== undefined) return close.candidate;
  const parts = candidates.filter((one) => plain.length >= 3 && (one.plain.startsWith(`${plain}_`) || one.plain.endsWith(`_${plain}`)));
  return parts.length === 1 ? (parts[0]?.candidate ?? null) : null;
}

/** Spellings that differ in nothing else: `amountMinor`, `Amount-Minor`, `amount_minor`. */
function plainOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[-.\s]/g, "_")
    .replace(/\[\]$/, "")
    .toLowerCase();
}

/** Insertions, deletions, replacements and swaps of neighbors from one text to the other. */
function distanceOf(from: string, to: string): number {
  let [older, old] = [[] as number[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const swapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      const cost = from[row - 1] === to[at - 1] ? 0 : 1;
      const best = Math.min((old[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1, (old[at - 1] ?? 0) + cost);
      now.push(swapped ? Math.min(best, (older[at - 2] ?? 0) + 1) : best);
    }
    [older, old] = [old, now];
  }
  return old[to.length] ?? 0;
}
