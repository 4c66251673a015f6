/** A supply that projects draw on: what one alone may use of it, and what is kept beyond that for the others. */
export interface Supply {
  usual: number;
  kept: number;
}

/**
 * How much more a project may take. Within `usual` anybody may; beyond it nobody has more than is left for all others together. So one project alone
 * has all of `usual`, and however long it holds that, the next project finds half of what is kept, the one after it half of the rest.
 */
function shareLeft({ usual, kept }: Supply, { own, all }: { own: number; all: number }): number {
  return Math.max(0, usual - all, Math.floor((usual + kept - all - own) / 2));
}

/** What of a supply is taken, by project. */
export function createShares(supply: Supply) {
  const byProject = new Map<string, number>();
  let all = 0;
  const own = (project: string) => byProject.get(project) ?? 0;
  return {
    all: () => all,
    leftOf: (project: string) => shareLeft(supply, { own: own(project), all }),
    /** Projects that may take nothing more now. */
    full: () => [...byProject.keys()].filter((project) => shareLeft(supply, { own: own(project), all }) <= 0),
    change(project: string, amount: number) {
      all += amount;
      const next = own(project) + amount;
      if (next > 0) byProject.set(project, next);
      else byProject.delete(project);
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
