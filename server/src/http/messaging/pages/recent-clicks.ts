interface Click {
  url: string;
  at: Date;
}

/** The last clicks on each copy in this process: several links within a second indicate a scanner. */
export interface RecentClicks {
  /** Returns the earlier clicks, and records this one. */
  take(recipient: string, click: Click): Click[];
}

const recentMs = 5_000;
const copiesMax = 10_000;
const clicksMax = 20;

export function createRecentClicks(): RecentClicks {
  const clicks = new Map<string, Click[]>();
  return {
    take(recipient, click) {
      const before = (clicks.get(recipient) ?? []).filter(({ at }) => click.at.getTime() - at.getTime() <= recentMs).slice(-clicksMax);
      clicks.delete(recipient);
      clicks.set(recipient, [...before, click]);
      const [oldest] = clicks.size > copiesMax ? clicks.keys() : [];
      if (oldest !== undefined) clicks.delete(oldest);
      return before;
    },
  };
}
