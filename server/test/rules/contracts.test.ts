import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../src", import.meta.url));
const files = globSync("**/*.ts", { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const isTest = ({ path }: { path: string }) => path.endsWith(".test.ts");
/** Those that `npm test` runs. */
const tests = files.filter((file) => isTest(file) && !/\.(long|peers)\.test\.ts$/.test(file.path));
const sources = files.filter((file) => !isTest(file));

test("every queue runs the contract of queues", () => {
  const declared = /const (\w+): (?:QueueTable|SendingChannel\["queue"\]) = /g;
  const queues = sources.flatMap(({ text }) => [...text.matchAll(declared)].map(([, name = ""]) => name));
  const contracts = tests.filter(({ text }) => text.includes("queueContract("));
  const untested = queues.filter((name) => !contracts.some(({ text }) => text.includes(`queue: ${name},`)));
  expect(queues).toEqual(expect.arrayContaining(["emailQueue", "deliveryQueue", "paymentQueue"]));
  expect(untested).toEqual([]);
});

test("every intake runs the contract of intakes, in a test next to it", () => {
  const intakes = sources.filter(({ path, text }) => !path.startsWith("platform") && /\bcreateIntake[<(]/.test(text));
  const contracts = new Set(tests.filter(({ text }) => text.includes("intakeContract(")).map(({ path }) => dirname(path)));
  expect(intakes.map(({ path }) => dirname(path))).toContain(join("orders", "order"));
  expect(intakes.filter(({ path }) => !contracts.has(dirname(path))).map(({ path }) => path)).toEqual([]);
});
