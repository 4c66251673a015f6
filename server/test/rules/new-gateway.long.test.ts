import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ownEnvironment, removeCopies, runningCopy } from "#test/support/programs/source-copies.ts";

const { makeGateway } = (await import(new URL("../../../scripts/provider/make-gateway.mjs", import.meta.url).href)) as {
  makeGateway(root: string, slug: string): string[];
};

afterAll(removeCopies);

test("a newly created gateway is type-correct", () => {
  const root = runningCopy();
  const paths = makeGateway(root, "acme_pay");
  // Not the list: it would bring along every other gateway, and the next test runs it.
  const files = paths.filter((path) => path.endsWith(".ts") && path !== "server/src/app/gateways.ts");
  writeFileSync(join(root, "tsconfig.made.json"), JSON.stringify({ extends: "./tsconfig.json", include: [], files }));
  const { status, stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.made.json"], {
    cwd: root,
    encoding: "utf8",
    env: ownEnvironment(),
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

interface Report {
  testResults: { name: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
}

function runTests(root: string, include: readonly string[]): Report {
  const config = join(root, "contract.config.mjs");
  writeFileSync(
    config,
    `export default { test: { include: ${JSON.stringify(include)}, reporters: ["json"], outputFile: "report.json", isolate: false } };\n`,
  );
  spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--root", root, "--config", config], {
    cwd: root,
    env: ownEnvironment(),
  });
  return JSON.parse(readFileSync(join(root, "report.json"), "utf8")) as Report;
}

test("a newly created gateway has tests for its contract, callback and guide: all red, each saying what isn't written, without the other gateways", () => {
  const root = runningCopy();
  makeGateway(root, "acme_pay");
  const report = runTests(root, ["server/src/providers/payment/acme_pay/*.test.ts", "server/test/journeys/guides/gateway-guides.test.ts"]);
  const results = report.testResults.flatMap(({ name, assertionResults }) => assertionResults.map((one) => ({ ...one, name })));
  const own = results.filter(({ name }) => name.includes("/acme_pay/"));
  expect(own.length).toBeGreaterThan(45);
  expect(own.filter(({ status }) => status !== "failed").map(({ fullName }) => fullName)).toEqual([]);
  expect(
    own.filter(({ failureMessages }) => failureMessages.some((message) => message.includes("is not written yet"))).length,
  ).toBeGreaterThan(40);
  const guides = results.filter(({ name }) => name.endsWith("gateway-guides.test.ts"));
  const red = guides.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  expect(red.length).toBeGreaterThan(2);
  for (const name of red) expect(name).toContain("acme_pay");
  expect(guides.filter(({ fullName }) => fullName.includes("stripe")).length).toBeGreaterThan(3);
});
