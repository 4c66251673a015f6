import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A program: posts one JSON body many times concurrently, or reads an address without one, and prints how often each response occurred.
 * Callers that get Retry-After retry, as happens on a busy machine. A separate process, so that the server's memory is only the server's.
 */
const [url = "", key = "", path = "", count = "1"] = process.argv.slice(2);
const sent = path === "" ? {} : { method: "POST", body: await readFile(path) };
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const comingBack = 10;
const answers: Record<string, number> = {};
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    let answer = await fetch(url, { headers, ...sent });
    for (let time = 0; answer.status === 429 && time < comingBack; time += 1) {
      await answer.body?.cancel();
      await sleep(Number(answer.headers.get("retry-after")) * 1_000);
      answer = await fetch(url, { headers, ...sent });
    }
    const text = await answer.text();
    const { error } = (answer.headers.get("content-type")?.startsWith("application/json") === true ? JSON.parse(text) : {}) as {
      error?: { code: string } | null;
    };
    const name = error == null ? String(answer.status) : `${answer.status} ${error.code}`;
    answers[name] = (answers[name] ?? 0) + 1;
  }),
);
console.log(JSON.stringify(answers));
