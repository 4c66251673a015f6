/** Spaces messages so that no second holds more than `perSecond` of them. */
export interface Pace {
  /** 0: one may go now, and counts as gone. Else in how many milliseconds to ask again. */
  take(nowMs: number): number;
}

/** A timer that fires late may be caught up by this much, paid for by a rate that is lower by as much. */
const slackMs = 20;

export function createPace(perSecond: number): Pace {
  const slack = perSecond > 100 ? slackMs : 0;
  const gapMs = 1_000 / (perSecond * (1 - slack / 1_000));
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    take(nowMs) {
      if (nowMs < nextMs) return nextMs - nowMs;
      nextMs = Math.max(nextMs, nowMs - slack) + gapMs;
      return 0;
    },
  };
}
