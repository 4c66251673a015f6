// `npm run provider payment <slug>`: creates the folder of a new gateway, with contract tests that fail until it is written.
import { fileURLToPath } from "node:url";
import { makeGateway } from "./provider/make-gateway.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const usage = "npm run provider payment <slug>";

try {
  const [kind, slug, ...rest] = process.argv.slice(2);
  if (kind !== "payment" || slug === undefined || rest.length > 0) throw new Error(usage);
  const made = makeGateway(root, slug);
  process.stdout.write(`Made:\n${made.map((path) => `  ${path}\n`).join("")}
Its tests are red until it is written:
  npm test -- server/src/providers/payment/${slug}
docs/gateways/adding-a-gateway.md says how.\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
