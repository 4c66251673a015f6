/** What an audit row says of a change: how it is now, and beside each value that is another now how it was. */
export function withPrevious(next: Record<string, unknown>, before: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.keys(next).filter((name) => JSON.stringify(next[name] ?? null) !== JSON.stringify(before[name] ?? null));
  return { ...next, ...Object.fromEntries(changed.map((name) => [`previous_${name}`, before[name] ?? null])) };
}
