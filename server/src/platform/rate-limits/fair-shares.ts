/** A supply that projects share: how much a single one can use, and how much is reserved for the others. */
export interface Supply {
  usual: number;
  reserved: number;
}

/**
 * How much more a project can take. Within `usual` any project can; beyond it none has more than is left for all others together. So a
 * single project can have all of `usual`, and however long it holds that, the next project gets half of the reserve, the one after it half
 * of the rest.
 */
function fairShareLeft({ usual, reserved }: Supply, { own, all }: { own: number; all: number }): number {
  return Math.max(0, usual - all, Math.floor((usual + reserved - all - own) / 2));
}

/** The used part of a supply, by project. */
export function createFairShares(supply: Supply) {
  const byProject = new Map<string, number>();
  let all = 0;
  const own = (project: string) => byProject.get(project) ?? 0;
  return {
    all: () => all,
    ownOf: own,
    leftOf: (project: string) => fairShareLeft(supply, { own: own(project), all }),
    /** Projects that can't take any more now. */
    full: () => [...byProject.keys()].filter((project) => fairShareLeft(supply, { own: own(project), all }) <= 0),
    change(project: string, amount: number) {
      all += amount;
      const next = own(project) + amount;
      if (next > 0) byProject.set(project, next);
      else byProject.delete(project);
    },
  };
}

export type FairShares = ReturnType<typeof createFairShares>;
