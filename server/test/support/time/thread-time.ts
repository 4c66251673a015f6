/** Milliseconds of processor time that this thread spends while `work` runs: neither other threads nor a busy machine count. */
export async function threadMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
