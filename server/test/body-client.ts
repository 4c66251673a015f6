import { readFile } from "node:fs/promises";

/** A program: posts one JSON body many times at once, or reads an address without one, and prints how often each answer came. In a process of its own, so that the server's memory is the server's. */
const [url = "", key = "", path = "", count = "1"] = process.argv.slice(2);
const sent = path === "" ? {} : { method: "POST", body: await readFile(path) };
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const answers: Record<string, number> = {};
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const answer = await fetch(url, { headers, ...sent });
    const text = await answer.text();
    const { error } = (answer.headers.get("content-type")?.startsWith("application/json") === true ? JSON.parse(text) : {}) as {
      error?: { code: string } | null;
    };
    const name = error == null ? String(answer.status) : `${answer.status} ${error.code}`;
    answers[name] = (answers[name] ?? 0) + 1;
  }),
);
console.log(JSON.stringify(answers));
