/** Names one claim of one job. */
export function claimName({ job, lease }: { job: string; lease: string }): string {
  return `${job} ${lease}`;
}
