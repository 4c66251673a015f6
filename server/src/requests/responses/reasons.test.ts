import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { languages } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { type Fault, faultText, reasonWords } from "../../../../web/dashboard/src/words/reasons.ts";
import { readReasons } from "../../../checks/read/reasons.ts";
import { readSources } from "../../../checks/read/sources.ts";

const app = await testApp();
const { tenant, key } = await shop();

async function shop() {
  const tenant = await app.tenant();
  return { tenant, key: app.api(tenant.key) };
}

const row = (...[sent, reason, en, zh]: [sent: [path: string, body: object], reason: object, en: string, zh: string]) => ({
  sent,
  reason,
  en,
  zh,
});
const orders = (body: object): [string, object] => ["orders", { currency: "CNY", amount_minor: 100, ...body }];
const emails = (body: object): [string, object] => [
  "/v1/emails",
  { from: "shop@simulator.tillpost.test", to: "ada@lovelace.dev", subject: "a", text: "b", ...body },
];

describe("what is sent, why it is refused, and how the dashboard shows it", () => {
  test.each([
    row(["orders", { currency: "CNY" }], { param: "amount_minor", reason: "required" }, "This field is required.", "请填写此项。"),
    row(
      orders({ amount_minor: "1" }),
      { reason: "wrong_type", values: { expected: ["integer"] } },
      "Wrong type of value.",
      "此项的类型不对。",
    ),
    row(
      orders({ amount_minor: 0 }),
      { reason: "amount_out_of_range" },
      "This amount is outside the accepted range.",
      "金额超出可支付的范围。",
    ),
    row(orders({ amount: 1 }), { reason: "unknown_field", values: { meant: "amount_minor" } }, "Unknown field.", "没有这个字段。"),
    row(orders({ reference: "" }), { param: "reference", reason: "empty" }, "This field is required.", "请填写此项。"),
    row(
      orders({ description: "x".repeat(501) }),
      { reason: "too_long", values: { max: 500 } },
      "At most 500 characters.",
      "最多 500 个字符。",
    ),
    row(orders({ expires_in: 1 }), { reason: "too_small", values: { min: 300 } }, "At least 300.", "不能小于 300。"),
    row(orders({ expires_in: 9_999_999 }), { reason: "too_large", values: { max: 2_592_000 } }, "At most 2592000.", "不能大于 2592000。"),
    row(
      orders({ currency: "XXQ" }),
      { reason: "not_a_currency" },
      "Unknown currency. Use a code like CNY.",
      "没有这个币种，请使用 CNY 这样的代码。",
    ),
    row(
      orders({ return_url: "http://shop.example" }),
      { reason: "not_a_return_address" },
      "Use an https address, or http on localhost in TEST.",
      "请使用 https 地址；测试环境也可用 localhost 的 http 地址。",
    ),
    row(
      emails({ to: "ada" }),
      { param: "to", reason: "not_an_email" },
      "Enter a full email address, e.g. ada@example.com.",
      "请填写完整的邮箱地址，例如 ada@example.com。",
    ),
    row(
      emails({ headers: { From: "x" } }),
      { reason: "own_header", values: { value: "From" } },
      "From is set by the service.",
      "From 由系统设置。",
    ),
    row(
      emails({ headers: { "X-SMTPAPI": "{}" } }),
      { reason: "relay_header", values: { value: "X-SMTPAPI" } },
      "X-SMTPAPI gives commands to mail services, so it can't be set.",
      "X-SMTPAPI 会被邮件服务当作指令，不能设置。",
    ),
    row(emails({ scheduled_at: "2020-01-01T00:00:00Z" }), { reason: "not_in_future" }, "Choose a time in the future.", "时间必须在将来。"),
    row(
      ["/v1/domains", { name: "no domain" }],
      { param: "name", reason: "not_a_domain" },
      "Enter a domain name, e.g. mail.example.com.",
      "请填写域名，例如 mail.example.com。",
    ),
    row(
      ["webhooks", { url: "https://shop.example/", events: ["order.eaten"] }],
      { param: "events[0]", reason: "unknown_event", values: { value: "order.eaten" } },
      "Unknown event order.eaten.",
      "没有 order.eaten 这个事件。",
    ),
  ])("$reason", async ({ sent: [path, body], reason, en, zh }) => {
    const { status, body: answer } = await key.post(path.startsWith("/") ? path : `/api/v1/projects/${tenant.project_id}/${path}`, body);
    const { details } = (answer as unknown as { error: { details: Fault[] } }).error;
    expect({ status, first: details[0] }).toMatchObject({ status: 400, first: reason });
    expect(languages.map(({ tag }) => faultText(details[0] as Fault, tag))).toEqual([en, zh]);
  });

  test("a refusal of the whole request has its reason at the top, one of a value next to the value", async () => {
    const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const made = await owner.api.post(`/api/v1/projects/${tenant.project_id}/api-keys`, { name: "a", permissions: ["orders:eat"] });
    expect(made).toMatchObject({
      status: 400,
      body: { error: { param: "permissions", details: [{ reason: "unknown_permission", values: { value: "orders:eat" } }] } },
    });
    const { id } = (await owner.api.post(`/api/v1/projects/${tenant.project_id}/api-keys`, { name: "a", permissions: ["orders:read"] }))
      .body as { id: string };
    await owner.api.delete(`/api/v1/projects/${tenant.project_id}/api-keys/${id}`);
    const ended = await owner.api.call("PATCH", `/api/v1/projects/${tenant.project_id}/api-keys/${id}`, { body: { name: "b" } });
    expect(ended).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict", reason: "key_ended" } } });
    expect((ended.body as { error: object }).error).not.toHaveProperty("details");
  });
});

test("a fault without a reason, as in older batches, is explained by its code", () => {
  expect(languages.map(({ tag }) => faultText({ code: "attachment_invalid" }, tag))).toEqual([
    "This attachment can't be used.",
    "附件无效。",
  ]);
  expect(languages.map(({ tag }) => faultText({ code: "parameter_invalid" }, tag))).toEqual([
    "This can't be used. Check it and try again.",
    "此项填写有误，请检查后重试。",
  ]);
});

test("every reason that the server gives has words in every language, and no words are unused", () => {
  const given = [...readReasons(readSources(fileURLToPath(new URL("../../../../", import.meta.url)))).keys()];
  expect(given.length).toBeGreaterThan(100);
  for (const { tag } of languages) expect(Object.keys(reasonWords[tag]).sort()).toEqual(given.sort());
});
