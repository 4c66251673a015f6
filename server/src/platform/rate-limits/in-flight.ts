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

interface SlotQueue {
  running: number;
  waiting: Waiting[];
}

/** Counts in this process: the limit applies per key and node. */
export function createInFlight(options: InFlightOptions): InFlight {
  const queues = new Map<string, SlotQueue>();
  return {
    enter(subject, ceiling) {
      let slots = queues.get(subject);
      if (slots === undefined) {
        slots = { running: 0, waiting: [] };
        queues.set(subject, slots);
      }
      if (slots.running < ceiling) {
        slots.running += 1;
        return true;
      }
      if (slots.waiting.length >= ceiling * options.depthFactor) return Promise.resolve(false);
      return wait(slots, options.waitMs);
    },
    leave(subject) {
      const slots = queues.get(subject);
      if (slots === undefined) return;
      const next = slots.waiting.shift();
      if (next !== undefined) return next.settle(true);
      slots.running -= 1;
      if (slots.running <= 0) queues.delete(subject);
    },
  };
}

function wait(slots: SlotQueue, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting: Waiting = {
      settle(entered) {
        clearTimeout(waiting.timer);
        resolve(entered);
      },
      timer: setTimeout(() => {
        slots.waiting.splice(slots.waiting.indexOf(waiting), 1);
        resolve(false);
      }, waitMs),
    };
    slots.waiting.push(waiting);
  });
}
