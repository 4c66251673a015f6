/** Spaces messages so that no second has more than `perSecond` of them. */
export interface Pace {
  /** Returns 0 if one may be sent now, and counts it as sent. Otherwise returns how many milliseconds to wait before asking again. */
  take(nowMs: number): number;
}

/** A timer that fires late may catch up by this much; the rate is lower by the same amount in return. */
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
