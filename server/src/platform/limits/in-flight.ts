/** A limit of concurrent work per subject; work beyond it waits its turn for a while. */
export interface InFlight {
  /** True immediately if there is room; otherwise a promise of true (its turn came) or false (waited too long, or the queue is full). */
  enter(subject: string, ceiling: number): true | Promise<boolean>;
  /** Passes the slot to the next in line. Call once per entry. */
  leave(subject: string): void;
}

export interface InFlightOptions {
  /** Longest wait in the queue. */
  waitMs: number;
  /** The queue holds at most this many times the ceiling. */
  depthFactor: number;
}

interface Waiting {
  settle(entered: boolean): void;
  timer: NodeJS.Timeout;
}

interface Lane {
  running: number;
  waiting: Waiting[];
}

/** Counts in this process: the limit applies per key and node. */
export function createInFlight(options: InFlightOptions): InFlight {
  const lanes = new Map<string, Lane>();
  return {
    enter(subject, ceiling) {
      let lane = lanes.get(subject);
      if (lane === undefined) {
        lane = { running: 0, waiting: [] };
        lanes.set(subject, lane);
      }
      if (lane.running < ceiling) {
        lane.running += 1;
        return true;
      }
      if (lane.waiting.length >= ceiling * options.depthFactor) return Promise.resolve(false);
      return wait(lane, options.waitMs);
    },
    leave(subject) {
      const lane = lanes.get(subject);
      if (lane === undefined) return;
      const next = lane.waiting.shift();
      if (next !== undefined) return next.settle(true);
      lane.running -= 1;
      if (lane.running <= 0) lanes.delete(subject);
    },
  };
}

function wait(lane: Lane, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting: Waiting = {
      settle(entered) {
        clearTimeout(waiting.timer);
        resolve(entered);
      },
      timer: setTimeout(() => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
        resolve(false);
      }, waitMs),
    };
    lane.waiting.push(waiting);
  });
}
