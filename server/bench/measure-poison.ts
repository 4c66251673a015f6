import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { poisonHtml, poisonTexts } from "#test/poison/html.ts";
import { answerOf } from "./answer-of.ts";
import type { Probed } from "./probe.ts";
import { serverFlags } from "./run-served.ts";

interface Given {
  url: string;
  project_id: string;
  authorization: string;
  quick: boolean;
}

/** What one message may take, and what a batch of such messages does. */
const [largest, inBatch] = [2_000_000, 16];
const aim = 3;
const letter = { from: "Corner Books <orders@tillpost.example>", to: "ada@lovelace.dev", subject: "Your order", tracking: { opens: true, clicks: true } };

/**
 * The worst time that /healthz takes while a TEST key sends every message that readers of mail have choked on, beside usual work, against that of the same
 * server when nothing is asked of it. The server accepts and sends in one process, as `npm start` does.
 */
export async function measurePoison(given: Given): Promise<string> {
  const server = fork(new URL("poisoned.ts", import.meta.url), { execArgv: serverFlags });
  const ended = once(server, "exit");
  try {
    server.send({ url: given.url });
    const { port } = await answerOf<{ port: number }>(server);
    const api = client(port, given.authorization);
    // What is loaded with the first request and the first mail is loaded by then.
    await usualWork(api, given.project_id, 20);
    await sleep(3_000);
    const idle = await probe(port, () => sleep(given.quick ? 3_000 : 20_000));
    const counts = new Map<number, number>();
    const loaded = await probe(port, () => sendAll(api, given, counts));
    const answers = [...counts].sort().map(([status, count]) => `${count} × ${status}`);
    return lineOf({ idle, loaded, answers: answers.join(", ") });
  } finally {
    if (server.connected) server.disconnect();
    await ended;
  }
}

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

/** Every poison by itself, then those that are taken sixteen at a time; two senders at once, and a shop that goes on with its orders and mails. */
async function sendAll(api: Api, { project_id, quick }: Given, counts: Map<number, number>): Promise<void> {
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
  // What was taken is being composed and sent.
  await sleep(quick ? 3_000 : 15_000);
  isOver = true;
  await usual;
}

function* messages(quick: boolean): Generator<{ path: string; body: object }> {
  const length = quick ? largest / 4 : largest;
  for (const make of Object.values(poisonHtml)) {
    yield { path: "/v1/emails", body: { ...letter, html: make(length).slice(0, length) } };
    yield { path: "/v1/emails", body: { ...letter, html: make(60_000), text: make(60_000) } };
  }
  for (const make of Object.values(poisonTexts)) {
    const text = make(900).slice(0, 900);
    yield { path: "/v1/emails", body: { ...letter, text: "x", subject: text.replace(/[\r\n]/g, " "), headers: { "X-A": text, "List-Help": text } } };
  }
  const wide = Object.values(poisonHtml).slice(2, quick ? 4 : undefined);
  for (const make of wide) {
    const html = make(length).slice(0, length);
    yield { path: "/v1/emails/batch", body: Array.from({ length: inBatch }, () => ({ ...letter, html })) };
  }
}

async function usualWork(api: Api, project_id: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await api(`/api/v1/projects/${project_id}/orders`, { amount_minor: 9_900, currency: "CNY" });
    await api("/v1/emails", { ...letter, html: '<p>Hello <a href="https://books.example/">there</a></p>' });
  }
}

async function probe(port: number, work: () => Promise<unknown>): Promise<Probed> {
  const asking = fork(new URL("probe.ts", import.meta.url));
  asking.send({ port });
  await answerOf(asking);
  await work();
  asking.send("stop");
  return answerOf<Probed>(asking);
}

function lineOf({ idle, loaded, answers }: { idle: Probed; loaded: Probed; answers: string }): string {
  const ratio = loaded.worstMs / idle.worstMs;
  const of = ({ worstMs, p99Ms, p50Ms, asked }: Probed) => `worst ${worstMs} ms, p99 ${p99Ms}, p50 ${p50Ms} of ${asked}`;
  return `/healthz beside hostile mail (${answers}): ${of(loaded)}; of the idle server: ${of(idle)}; ratio of the worst ${ratio.toFixed(2)} (≤ ${aim} ${ratio <= aim ? "met" : "missed"}).`;
}
