import { setTimeout as sleep } from "node:timers/promises";
import { poisonHtml, poisonTexts } from "#test/support/poison/html.ts";

export interface Sending {
  port: number;
  project_id: string;
  /** The header's line. */
  authorization: string;
  quick: boolean;
  /** usual: some orders and emails. poison: also every message that readers of email have choked on. */
  what: "usual" | "poison";
}

/** What one message may contain, and how many such messages are in a batch. */
const [largest, inBatch] = [2_000_000, 16];
const bodyBytesMax = 34 * 1024 * 1024;
const email = {
  from: "Corner Books <orders@tillpost.example>",
  to: "ada@lovelace.dev",
  subject: "Your order",
  tracking: { opens: true, clicks: true },
};

/** A program: sends the given messages and returns the responses, "111 × 201, 11 × 400". */
process.once("message", async (sending: Sending) => {
  const api = client(sending.port, sending.authorization);
  const counts = new Map<number, number>();
  if (sending.what === "usual") await usualWork(api, sending.project_id, 20);
  else await sendAll(api, sending, counts);
  const answers = [...counts].sort().map(([status, count]) => `${count} × ${status}`);
  process.send?.({ answers: answers.join(", ") }, () => process.disconnect?.());
});

type Api = (path: string, body: object) => Promise<number>;

function client(port: number, authorization: string): Api {
  const [, value = ""] = /authorization: ([^\r\n]+)/.exec(authorization) ?? [];
  return async (path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { authorization: value, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}

/**
 * Every hostile message individually, then the accepted ones in batches of sixteen; two senders concurrently, and a shop that continues
 * with its orders and emails.
 */
async function sendAll(api: Api, { project_id, quick }: Sending, counts: Map<number, number>): Promise<void> {
  const queue = [...messages(quick)];
  let isOver = false;
  const usual = (async () => {
    while (!isOver) {
      await usualWork(api, project_id, 1);
      await sleep(20);
    }
  })();
  const send = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const status = await api(next.path, next.body);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all([send(), send()]);
  // What was accepted is being composed and sent.
  await sleep(quick ? 3_000 : 15_000);
  isOver = true;
  await usual;
}

function* messages(quick: boolean): Generator<{ path: string; body: object }> {
  const length = quick ? largest / 4 : largest;
  for (const make of Object.values(poisonHtml)) {
    yield { path: "/v1/emails", body: { ...email, html: make(length).slice(0, length) } };
    yield { path: "/v1/emails", body: { ...email, html: make(60_000), text: make(60_000) } };
  }
  for (const make of Object.values(poisonTexts)) {
    const text = make(900).slice(0, 900);
    yield {
      path: "/v1/emails",
      body: { ...email, text: "x", subject: text.replace(/[\r\n]/g, " "), headers: { "X-A": text, "List-Help": text } },
    };
  }
  const wide = Object.values(poisonHtml).slice(2, quick ? 4 : undefined);
  for (const make of wide) {
    const html = make(length).slice(0, length);
    // As many as one body may contain: escaped, some of them take several times their length.
    const fitting = Math.min(inBatch, Math.floor(bodyBytesMax / Buffer.byteLength(JSON.stringify({ ...email, html }))));
    yield { path: "/v1/emails/batch", body: Array.from({ length: fitting }, () => ({ ...email, html })) };
  }
}

async function usualWork(api: Api, project_id: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await api(`/api/v1/projects/${project_id}/orders`, { amount_minor: 9_900, currency: "CNY" });
    await api("/v1/emails", { ...email, html: '<p>Hello <a href="https://books.example/">there</a></p>' });
  }
}
