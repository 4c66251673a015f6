/** A number of bytes that can be held at once; callers that need more than is left wait in order. */
export interface ByteBudget {
  /** False if the wait was too long. Taken bytes must be released. */
  take(bytes: number): Promise<boolean>;
  give(bytes: number): void;
}

interface Waiting {
  bytes: number;
  timer: NodeJS.Timeout;
  answer(admitted: boolean): void;
}

/** `bytes` must be at least the largest possible request. */
export function createByteBudget({ bytes, waitMs }: { bytes: number; waitMs: number }): ByteBudget {
  let free = bytes;
  const queue: Waiting[] = [];
  const admit = () => {
    for (let next = queue[0]; next !== undefined && next.bytes <= free; next = queue[0]) {
      queue.shift();
      clearTimeout(next.timer);
      free -= next.bytes;
      next.answer(true);
    }
  };
  return {
    take(wanted) {
      if (queue.length === 0 && wanted <= free) {
        free -= wanted;
        return Promise.resolve(true);
      }
      return new Promise((answer) => {
        const waiting: Waiting = { bytes: wanted, answer, timer: setTimeout(abort, waitMs) };
        function abort(): void {
          queue.splice(queue.indexOf(waiting), 1);
          answer(false);
          admit();
        }
        queue.push(waiting);
      });
    },
    give(given) {
      free += given;
      admit();
    },
  };
}
