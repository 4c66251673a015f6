import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { received, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { btcpay } from "./adapter.ts";
import { btcpaySimulator } from "./simulator.ts";

/** A delivery of a BTCPay Server, with its secret and signature; the file names its source. */
const published = JSON.parse(readFileSync(new URL("testing/published.json", import.meta.url), "utf8"));
const storeId = "BJKmPvug3KHVWyu1ECEiAstAQXFjJD1fX87EcgEhHVLT";

function read(body: string, signature: string, store = storeId) {
  const world = simulatedWorld();
  const fields = { base_url: "https://btcpay.test", store_id: store, api_key: "0123456789abcdef", webhook_secret: published.secret };
  const callback = received({ url: "https://shop.test/callbacks", headers: { "BTCPay-Sig": signature }, body }, world.now());
  return btcpay.open(fields, { livemode: false }).verify(world.call(btcpaySimulator), callback);
}

test("a delivery that was really sent proves itself, and causes a query about its invoice, because it has no amount", async () => {
  expect(await read(published.body, published.signature)).toEqual({
    ok: true,
    dedupeKey: "WZbyGsmWGZvYjRsYCH7Vmt",
    event: "InvoiceSettled",
    report: { kind: "ask", about: { reference: "23", providerId: "6wmoR7p5UFVzCYuwyiViKX" } },
  });
});

test.each([
  ["with another invoice", published.body.replace("6wmoR7", "7wmoR6"), storeId, "signature"],
  ["written without blanks", JSON.stringify(JSON.parse(published.body)), storeId, "signature"],
  ["of another store", published.body, "AnotherStore", "unknown_key"],
])("the same delivery %s is refused", async (_what, body, store, reason) => {
  expect(await read(body, published.signature, store)).toEqual({ ok: false, reason });
});

// All that the Greenfield document of July 2026 lists as the types of events.
const ofInvoices = ["Created", "ReceivedPayment", "Processing", "Expired", "Settled", "Invalid", "PaymentSettled"];
const others = [
  ...["Created", "Updated", "Archived", "StatusChanged"].map((name) => `PaymentRequest${name}`),
  ...["PayoutCreated", "PayoutApproved", "PayoutUpdated"],
  ...["Created", "Credited", "Charged", "Activated", "PhaseChanged", "Disabled", "NeedUpgrade"].map((name) => `Subscriber${name}`),
  ...["PaymentReminder", "PlanStarted"],
];

test.each([
  ...ofInvoices.map((name) => [`Invoice${name}`, { kind: "ask", about: { reference: "23", providerId: "6wmoR7p5UFVzCYuwyiViKX" } }]),
  ...others.map((name) => [name, { kind: "nothing" }]),
] as [string, object][])("%s of the same invoice reports %j", async (type, report) => {
  const body = published.body.replace('"InvoiceSettled"', JSON.stringify(type));
  const signature = `sha256=${createHmac("sha256", published.secret).update(body).digest("hex")}`;
  expect(await read(body, signature)).toEqual({ ok: true, dedupeKey: "WZbyGsmWGZvYjRsYCH7Vmt", event: type, report });
});
