import { describe, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { takeIn } from "#providers/sms/smpp/take-in.ts";
import { decodePdu, type Pdu } from "#providers/sms/smpp/wire/pdu.ts";
import { createSmsIntake } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { buildDeliver } from "#test/support/smpp/build-pdu.ts";

const app = await testApp({ sms: { routes: [{ name: "smpp", takes: () => true }] } });
const { ctx } = app;
const [chinese, american, shortCode] = ["+8613800138001", "+14155552670", "10690123"] as const;
const shopOf = async (country: string, values: readonly string[]): Promise<TestTenant> => {
  const shop = await app.tenant({ livemode: true });
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country });
  for (const value of values) await assignNumber(ctx, { project_id: shop.project_id, value, channels: ["sms"] });
  return shop;
};
const china = await shopOf("CN", [chinese, shortCode]);
const america = await shopOf("US", [american]);

/** A STOP, over a bind to some countries, in an address of a type that the carrier doesn't say. */
async function stop(source_addr: string, destination_addr: string, countries: string): Promise<void> {
  const [bind] = readBinds(`smpp://acme:s3cr3t@smsc.example?name=main${countries === "" ? "" : `&countries=${countries}`}`);
  const pdu = decodePdu(buildDeliver({ source_addr_ton: 0, source_addr, dest_addr_ton: 0, destination_addr, short_message: "STOP" }));
  await takeIn(pdu as Pdu, { bind: bind!, intake: createSmsIntake(ctx), now: ctx.now });
}

async function refusalOf({ key }: TestTenant, from: string, to: string): Promise<string> {
  const { body } = await app.api(key).post("/v1/sms", { from, to, body: "Hello" });
  return body.error?.code ?? "accepted";
}

describe("STOP from a number whose type the carrier doesn't say ends messages to that number", () => {
  test.each([
    ["in national form", "13800138000", "8613800138001", "", [china, chinese, "+8613800138000"]],
    ["in national form, to a number in national form", "13800138002", "13800138001", "86", [china, chinese, "+8613800138002"]],
    ["in national form, to a short code", "13800138003", shortCode, "CN", [china, shortCode, "+8613800138003"]],
    ["with its country code, to a short code", "8613800138004", shortCode, "", [china, shortCode, "+8613800138004"]],
    ["with its country code", "14155552671", "14155552670", "", [america, american, "+14155552671"]],
    ["without it", "4155552672", "4155552670", "1", [america, american, "+14155552672"]],
  ] as const)("%s: %s to %s, over a bind to %j", async (_what, from, to, countries, [shop, number, recipient]) => {
    expect(await refusalOf(shop, number, recipient)).toBe("accepted");
    await stop(from, to, countries);
    expect(await refusalOf(shop, number, recipient)).toBe("recipient_opted_out");
  });
});
