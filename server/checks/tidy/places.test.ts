import { describe, expect, test } from "vitest";
import { entriesExportWhatIsNeeded } from "./places.ts";

const entry = "server/src/orders/index.ts";
const inner = "server/src/orders/link/index.ts";
const faults = (files: Record<string, string>) =>
  entriesExportWhatIsNeeded(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
    ({ path, line, message }) => `${path}:${line} ${message}`,
  );

/** Ways to need an export of a door, and who needs it. */
const needs: [what: string, path: string, text: string][] = [
  ["another room", "server/src/checkout/pay.ts", 'import { type Link, payOrder } from "#orders/index.ts";'],
  [
    "another room, under another name",
    "server/src/checkout/pay.ts",
    'import {\n  type Link as OrderLink,\n  payOrder as pay,\n} from "#orders/index.ts";',
  ],
  ["another room, later", "server/src/app/pay.ts", 'const { payOrder, Link } = await import("#orders/index.ts");'],
  ["another room, as a whole", "server/src/app/pay.ts", 'import * as orders from "#orders/index.ts";'],
  ["another room's type", "server/src/app/pay.ts", 'type Orders = typeof import("#orders/index.ts");'],
  ["another room's door", "server/src/checkout/index.ts", 'export { type Link, payOrder } from "#orders/index.ts";'],
  ["a maker of documents", "server/checks/documents.ts", 'import { type Link, payOrder } from "../src/orders/index.ts";'],
];

describe("what an index.ts exports", () => {
  const exported = { [entry]: 'export { unused } from "./a.ts";\nexport { type Link, payOrder } from "./link/pay-order.ts";\n' };
  const [unused, link, pay] = ["1 exports unused,", "2 exports Link,", "2 exports payOrder,"].map((text) =>
    expect.stringContaining(`${entry}:${text}`),
  );

  test.each(needs)("is needed by %s", (_what, path, text) => {
    const found = faults({ ...exported, [path]: text });
    if (text.includes("*") || text.includes("typeof")) expect(found).toEqual([]);
    else expect(found.filter((fault) => fault.startsWith(entry))).toEqual([unused]);
  });

  test.each([
    ["a test", "server/src/checkout/pay.test.ts", 'import { type Link, payOrder } from "#orders/index.ts";'],
    ["what tests share", "server/test/pay.ts", 'import { type Link, payOrder } from "#orders/index.ts";'],
    ["a bench", "server/bench/pay.ts", 'import { type Link, payOrder } from "#orders/index.ts";'],
    ["the room itself", "server/src/orders/settle/settle.ts", 'import { type Link, payOrder } from "../index.ts";'],
    ["an import of the file itself", "server/src/orders/settle/settle.ts", 'import { type Link, payOrder } from "../link/pay-order.ts";'],
    ["an import from another room", "server/src/checkout/pay.ts", 'import { readLink } from "#collection/index.ts";'],
  ])("is not needed by %s", (_what, path, text) => {
    expect(faults({ ...exported, [path]: text })).toEqual([unused, link, pay]);
  });

  test("is identified by the name that others see, also in a room's folders", () => {
    const renamed = { [inner]: 'export { Link as OrderLink, payOrder } from "./pay-order.ts";\n' };
    const own = { "server/src/orders/link/issue-link.ts": 'import { payOrder } from "./index.ts";' };
    const other = { "server/src/orders/settle/settle.ts": 'import type { OrderLink } from "../link/index.ts";' };
    expect(faults({ ...renamed, ...own, ...other })).toEqual([
      expect.stringContaining(`${inner}:1 exports payOrder, which nothing outside of server/src/orders/link`),
    ]);
    expect(faults({ ...renamed, ...own })).toHaveLength(2);
  });
});
