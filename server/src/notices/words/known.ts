/** A row of an email's table of facts; no row if the value isn't known. */
export function known(label: string, value: string | null): [string, string][] {
  return value === null ? [] : [[label, value]];
}
