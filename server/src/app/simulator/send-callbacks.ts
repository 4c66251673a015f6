import type { SimulatedCallback } from "#gateways/index.ts";

const answerMs = 5_000;

export interface CallbackSender {
  send(callback: SimulatedCallback): void;
  /** Cancels pending retries and deliveries. */
  close(): void;
}

/** Posts callbacks as a provider does: repeats on its schedule until one is accepted. `said` receives a line for each delivery. */
export function createSender(log: (line: string) => void): CallbackSender {
  const waiting = new Set<NodeJS.Timeout>();
  const closing = new AbortController();
  const deliver = async (callback: SimulatedCallback, repeats: number): Promise<void> => {
    const { url, headers, body } = repeats === 0 || callback.again === null ? callback : { ...callback, ...(await callback.again()) };
    const answer = await post({ url, headers, body }, closing.signal);
    if (closing.signal.aborted) return;
    const taken = answer !== null && callback.accepts(answer);
    const seconds = callback.retrySeconds[repeats];
    const next = taken ? "taken" : seconds === undefined ? "given up" : `again in ${seconds} s`;
    log(`callback to ${url}: ${answer === null ? "no response" : answer.status}, ${next}`);
    if (taken || seconds === undefined) return;
    const timer = setTimeout(() => {
      waiting.delete(timer);
      void deliver(callback, repeats + 1);
    }, seconds * 1_000);
    waiting.add(timer);
  };
  return {
    send: (callback) => void deliver(callback, 0),
    close() {
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
      closing.abort();
    },
  };
}

async function post(
  { url, headers, body }: Pick<SimulatedCallback, "url" | "headers" | "body">,
  closing: AbortSignal,
): Promise<{ status: number; body: string } | null> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(answerMs)]);
  try {
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return null;
  }
}
