/** An audit row's view of a change: the new values, and the previous value of each that changed. */
export function withPrevious(next: Record<string, unknown>, before: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.keys(next).filter((name) => JSON.stringify(next[name] ?? null) !== JSON.stringify(before[name] ?? null));
  return { ...next, ...Object.fromEntries(changed.map((name) => [`previous_${name}`, before[name] ?? null])) };
}
