import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { importFaults, importingFolders, importRules } from "./import-rules.ts";
import { mutualFolderFaults } from "./mutual-folders.ts";
import { ladder } from "./read/ladder.ts";

const folder = await mkdtemp(join(tmpdir(), "tillpost-imports-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** One forbidden import per rule: from which file, to which. */
const broken: Record<string, [from: string, to: string]> = {
  ...Object.fromEntries(
    ladder
      .slice(0, -1)
      .map((name, index) => [`${name}-looks-down`, [`server/src/${name}/up.ts`, `server/src/${ladder[index + 1]}/index.ts`]]),
  ),
  "no-cycle": ["server/src/orders/left.ts", "server/src/orders/right.ts"],
  "front-door-only": ["server/src/orders/window.ts", "server/src/ledger/private.ts"],
  "sql-stays-home": ["server/src/orders/deed.ts", "server/src/platform/sql.ts"],
  "driver-in-platform-only": ["server/src/orders/driver.ts", "node_modules/postgres/index.ts"],
  "fastify-near-routes-only": ["server/src/orders/web.ts", "node_modules/fastify/index.ts"],
  "providers-look-at-ports-only": ["server/src/providers/payment/stripe/curious.ts", "server/src/orders/index.ts"],
  "payment-providers-have-no-network": ["server/src/providers/payment/stripe/sockets.ts", "node:net"],
  "providers-do-not-meet": ["server/src/providers/payment/stripe/friend.ts", "server/src/providers/payment/mollie/wire.ts"],
  "only-app-names-providers": ["server/src/orders/favourite.ts", "server/src/providers/payment/mollie/wire.ts"],
  "product-needs-no-test": ["server/src/orders/testing.ts", "server/test/support/app/test-app.ts"],
  "web-to-sdk-only": ["web/page.ts", "server/src/orders/index.ts"],
  "server-alone": ["server/src/orders/page.ts", "web/words.ts"],
  "no-mutual-folders": ["server/src/orders/upper/use-case.ts", "server/src/orders/lower/rows.ts"],
  "scripts-alone": ["scripts/begin.mjs", "server/src/orders/index.ts"],
  "sdk-needs-nothing": ["sdk/src/client.ts", "node_modules/postgres/index.ts"],
};

/** Imports that look like the forbidden ones but are allowed. */
const allowed: [from: string, to: string][] = [
  ["server/src/orders/good.ts", "server/src/ledger/index.ts"],
  ["server/src/orders/sql.ts", "server/src/platform/sql.ts"],
  ["server/src/orders/list.sql.ts", "server/src/platform/sql.ts"],
  ["server/src/app/providers.ts", "server/src/providers/payment/mollie/wire.ts"],
  ["server/src/http/web.ts", "node_modules/fastify/index.ts"],
  ["server/src/requests/web.ts", "node_modules/fastify/index.ts"],
  ["server/src/providers/payment/stripe/adapter.ts", "server/src/gateways/index.ts"],
  ["server/src/orders/good.test.ts", "server/test/support/app/test-app.ts"],
];

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function specifier(from: string, to: string): string {
  if (to.startsWith("node:")) return to;
  return to.startsWith("node_modules/") ? (to.split("/")[1] ?? "") : `${"../".repeat(from.split("/").length - 1)}${to}`;
}

async function buildBrokenTree(): Promise<void> {
  const edges = [...Object.values(broken), ...allowed];
  for (const name of ["postgres", "fastify"])
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.ts" }));
  for (const name of ["server", "web", "sdk"])
    await write(`${name}/package.json`, JSON.stringify({ name, dependencies: { postgres: "1.0.0", fastify: "1.0.0" } }));
  await write("package.json", JSON.stringify({ name: "broken", dependencies: { postgres: "1.0.0", fastify: "1.0.0" } }));
  for (const [, to] of edges) if (!to.startsWith("node:")) await write(to, "export const value = 1;\n");
  for (const [from, to] of edges) await write(from, `import "${specifier(from, to)}";\nexport const value = 1;\n`);
  await write("server/src/orders/right.ts", 'import "./left.ts";\n');
  await write("server/src/orders/lower/other.ts", 'import "../upper/shape.ts";\n');
  await write("server/src/orders/upper/shape.ts", "export const value = 1;\n");
}

await buildBrokenTree();
const faults = await importFaults(folder, importingFolders);

describe("the import rules", () => {
  test("are each broken here once", () => {
    expect(Object.keys(broken).sort()).toEqual([...importRules.map((rule) => rule.name), "no-mutual-folders"].sort());
  });

  test.each(Object.entries(broken))("see %s", (name, [from]) => {
    expect(
      faults
        .filter((fault) => fault.path === from)
        .map((fault) => fault.message)
        .join(),
    ).toContain(`(${name})`);
  });

  test.each(allowed)("let %s import %s", (from) => {
    expect(faults.filter((fault) => fault.path === from)).toEqual([]);
  });
});

describe("folders that import each other", () => {
  const down = { from: "server/src/orders/upper/use-case.ts", to: "server/src/orders/lower/rows.ts" };
  const up = { from: "server/src/orders/lower/other.ts", to: "server/src/orders/upper/shape.ts" };
  const entry = { from: "server/src/orders/index.ts", to: "server/src/orders/lower/rows.ts" };
  const errors = { from: "server/src/orders/lower/rows.ts", to: "server/src/orders/errors.ts" };

  test("are both reported, whichever files cause it", () => {
    expect(mutualFolderFaults([down, up]).map(({ path }) => path)).toEqual([down.from, up.from]);
    expect(mutualFolderFaults([down])).toEqual([]);
  });

  test("an index.ts exports what is below it, and imports from its siblings like every other file", () => {
    expect(mutualFolderFaults([entry, errors])).toEqual([]);
    const sibling = { from: "server/src/orders/upper/index.ts", to: up.from };
    expect(mutualFolderFaults([sibling, up]).map(({ path }) => path)).toEqual([sibling.from, up.from]);
  });
});
