/** A count with its noun in English: `1 row`, `2 rows`. A plural that takes more than an s is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
