/** A count with its English noun: `1 row`, `2 rows`. Pass an irregular plural explicitly. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
