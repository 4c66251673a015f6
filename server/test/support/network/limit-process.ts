import { createSharedLimits, openPostgresLimits } from "#platform/index.ts";

/** A separate process that requests one window of a shared store many times concurrently, and prints how many requests it was granted. */
const [url = "", requests = "0", limit = "0"] = process.argv.slice(2);
const limits = createSharedLimits({ store: openPostgresLimits({ url }), nodes: 4, onChange: () => {}, timeoutMs: 10_000 });
const bucket = limits.bucket("processes");
const rule = { limit: Number(limit), windowMs: 60_000 };
const taken = await Promise.all(Array.from({ length: Number(requests) }, () => bucket.take("key", rule, Date.now())));
process.stdout.write(`${taken.filter(({ allowed }) => allowed).length}\n`);
await limits.close();
