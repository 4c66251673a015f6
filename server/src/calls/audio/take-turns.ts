import { type Limited, limitConcurrency } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";

/** Runs a project's work once it is its turn. */
export type Turns = <T>(tenant: Tenant, work: () => Promise<T>) => Promise<T>;

/** Each project has at most `most` pieces of work in progress, so that none can fill what all of them share. */
export function takeTurns(most: number): Turns {
  const projects = new Map<string, { limited: Limited; open: number }>();
  return async ({ project_id, livemode }, work) => {
    const name = `${project_id} ${livemode}`;
    const line = projects.get(name) ?? { limited: limitConcurrency(most), open: 0 };
    projects.set(name, line);
    line.open += 1;
    try {
      return await line.limited(work);
    } finally {
      line.open -= 1;
      if (line.open === 0) projects.delete(name);
    }
  };
}
