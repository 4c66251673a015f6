/** Work that grows with the square of its text: the step counter must detect it. */
export function square(text: string): number {
  let found = 0;
  for (const left of text) for (const right of text) if (left === right) found += 1;
  return found;
}
