interface Gathering {
  /** When so many have come, no more are waited for. */
  most: number;
  waitMs: number;
  /** While nothing is under way nothing more will come, so that waiting is for nothing. */
  isBusy: () => boolean;
  ring: () => void;
}

/** Rings once for several things that came rather than at each: a round of statements costs the database nearly as much for one message as for dozens. */
export function createGather({ most, waitMs, isBusy, ring }: Gathering) {
  let timer: NodeJS.Timeout | null = null;
  const silence = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const ringNow = () => {
    silence();
    ring();
  };
  return {
    /** Takes back a ring that was still to come: all that has come is being seen to. */
    silence,
    /** `come`: how many have come and were not yet seen to. */
    note(come: number) {
      if (come >= most || !isBusy()) ringNow();
      else timer ??= setTimeout(ringNow, waitMs).unref();
    },
  };
}
