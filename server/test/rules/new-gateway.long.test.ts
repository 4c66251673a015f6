import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
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
  // Not the list: it would bring along every other gateway, and the short tests run it.
  const files = paths.filter((path) => path.endsWith(".ts") && path !== "server/src/app/gateways.ts");
  writeFileSync(join(root, "tsconfig.made.json"), JSON.stringify({ extends: "./tsconfig.json", include: [], files }));
  const { status, stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.made.json"], {
    cwd: root,
    encoding: "utf8",
    env: ownEnvironment(),
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
