import { readFile } from "node:fs/promises";

/**
 * A program: sends one file many times concurrently, as many clients would, and prints how often each status occurred. A separate process,
 * so that the server's memory is only the server's.
 */
const [url = "", key = "", purpose = "", path = "", count = "1"] = process.argv.slice(2);
const bytes = await readFile(path);
const answers: Record<number, number> = {};
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const body = new FormData();
    body.set("purpose", purpose);
    body.set("file", new Blob([bytes]), "picture");
    const answer = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
    await answer.text();
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
  }),
);
console.log(JSON.stringify(answers));
