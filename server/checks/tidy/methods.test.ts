import { expect, test } from "vitest";
import { methodsComeFromTheList } from "./places.ts";

const defined = [
  {
    path: "server/src/collection/method/tealeaf.ts",
    text: '{ name: "tealeafpay", gateway: "tealeafpay", channel: "tealeaf", names: { en: "Tea" } }',
  },
  {
    path: "server/src/providers/payment/quay/manifest.ts",
    text: '{ name: "quay", gateway: "quay", currencies: ["EUR"], fields: [{ name: "store_id", secret: false }] }',
  },
];
const faults = (path: string, text: string) => methodsComeFromTheList([...defined, { path, text }]).map(({ message }) => message);
const page = "server/src/checkout/page/steps.ts";

test.each([
  ["asks for a method by name", page, 'if (session.gateway === "tealeafpay") return [];', "tealeafpay"],
  ["asks for a channel by name", "server/src/orders/shapes.ts", 'const channel = "tealeaf";', "tealeaf"],
  ["names it as a key", "web/dashboard/src/parts/filters/filters.tsx", "const names = { quay: words.quayside };", "quay"],
  ["names it in a description", "server/src/schemas/collection/asset.ts", 'text("`tealeaf`, or null")', "tealeaf"],
  ["names another gateway from a gateway", "server/src/providers/payment/pier/adapter.ts", 'if (slug === "quay") return;', "quay"],
])("a file that %s is refused", (_what, path, text, name) => {
  expect(faults(path, text)).toEqual([expect.stringContaining(`spells the payment method ${name}:`)]);
});

test.each([
  ["what is particular to personal codes", "server/src/collection/code/identify-code.ts", '["tealeaf", "personal"]'],
  ["the personal branch of payments", "server/src/orders/session/personal-qr.ts", '"tealeafpay"'],
  ["the list", "server/src/app/gateways.ts", 'import { quay } from "#providers/payment/quay/adapter.ts";'],
  ["words", "web/dashboard/src/features/codes/codes.words.ts", 'hint: "for example tealeaf:main"'],
  ["a gateway's own folder", "server/src/providers/payment/quay/adapter.ts", 'const slug = "quay";'],
  ["the gateway of the same brand", "server/src/providers/payment/tealeaf_shop/adapter.ts", 'const inApp = "tealeaf";'],
  ["a test", "server/src/orders/orders.test.ts", 'gateway: "tealeafpay"'],
  [
    "an address or an API's word",
    "server/src/providers/payment/pier/adapter.ts",
    '"https://api.tealeafpay.test", "tealeafpay.trade.close"',
  ],
  ["a field of a gateway's form", page, 'const field = "store_id";'],
  ["a longer word", page, 'const tealeaf_jsapi = "tealeaf-like";'],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toEqual([]);
});
