import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { listErrors } from "./error-catalogue.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const shop = await app.tenant();
const orders = `/api/v1/projects/${shop.project_id}/orders`;
const json = { "content-type": "application/json" };
const good = { amount_minor: 8800, currency: "CNY" };
const goodMail = { from: "a@tillpost.test", to: "b@simulator.tillpost.test", subject: "Hello", html: "<p>Hello</p>" };

/** What is sent, how it is answered, and what the sentence tells to do. */
interface Row {
  sends: string;
  request: [method: string, path: string];
  /** In place of the tenant's key. */
  credentials?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  payload?: string | Buffer;
  answer: [status: number, code: string, param?: string];
  message: string | RegExp;
}

interface Sending {
  gets(answer: Row["answer"], message: Row["message"]): Row;
}

const sending = (sends: string, rest: Pick<Row, "request" | "body" | "credentials">): Sending => ({
  gets: (answer, message) => ({ sends, ...rest, answer, message }),
});
const posting = (sends: string, body: unknown) => sending(sends, { request: ["POST", orders], body });
const mailing = (sends: string, more: object) => sending(sends, { request: ["POST", "/v1/emails"], body: { ...goodMail, ...more } });
const signed = (sends: string, credentials: Record<string, string>) =>
  sending(sends, { request: ["GET", "/api/v1/merchant"], credentials });
const going = (method: string, path: string, message: Row["message"]): Row =>
  sending(`${method} ${path}`, { request: [method, path] }).gets([404, "route_missing"], message);
const text = (sends: string, payload: string, message: Row["message"]): Row => ({
  ...posting(sends, undefined).gets([400, "invalid_json"], message),
  payload,
  headers: json,
});
const typed = (sends: string, type: string | null, message: Row["message"]): Row => ({
  ...posting(sends, undefined).gets([415, "unsupported_media_type"], message),
  payload: JSON.stringify(good),
  headers: type === null ? {} : { "content-type": type },
});
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const rows: Row[] = [
  // Addresses
  going("GET", "/api/v1/merchant/", "Did you mean /api/v1/merchant? Remove the slash at the end."),
  going("GET", "//api/v1//merchant", "Did you mean /api/v1/merchant? There is a double slash."),
  going("GET", "/v1/emails/?limit=2", "Did you mean /v1/emails? Remove the slash at the end."),
  going("GET", "/API/v1/merchant", "Did you mean /api/v1/merchant? Paths are in lower case."),
  going("GET", `/api/v1/projects/${shop.project_id}/order`, `Did you mean /api/v1/projects/${shop.project_id}/orders?`),
  going("POST", "/api/v1/emails", "Did you mean /v1/emails?"),
  going("POST", "/emails", "Did you mean /v1/emails?"),
  going("GET", "/v1/orders", "Did you mean /api/v1/projects/{projectId}/orders?"),
  going("GET", "/nothing/of/the/kind", /^No such route\.$/),
  {
    sends: "a method that the route does not take",
    request: ["PUT", "/api/v1/merchant"],
    answer: [405, "method_not_allowed"],
    message: "This route supports GET, HEAD, PATCH.",
  },
  // Bodies
  typed("no content type", null, "no Content-Type. Send Content-Type: application/json."),
  typed(
    "what curl -d sends",
    "application/x-www-form-urlencoded",
    "(curl sends a form unless you add -H 'Content-Type: application/json'.)",
  ),
  typed("text", "text/plain; charset=utf-8", "The content type text/plain isn't supported here. Send Content-Type: application/json."),
  typed("JSON in another encoding", "application/json; charset=gbk", "Bodies in gbk aren't supported here. Send the body in UTF-8."),
  {
    ...posting("a packed body", undefined).gets(
      [415, "unsupported_media_type"],
      "Bodies compressed with gzip aren't supported here. Send the body uncompressed, without Content-Encoding.",
    ),
    payload: gzipSync(JSON.stringify(good)),
    headers: { ...json, "content-encoding": "gzip" },
  },
  { ...typed("XML to the messaging API", "application/xml", "Send Content-Type: application/json."), request: ["POST", "/v1/emails"] },
  {
    ...typed("JSON where a picture goes", "application/json", "multipart/form-data"),
    request: ["POST", `/api/v1/projects/${shop.project_id}/assets/upload`],
  },
  {
    ...typed("text where a statement goes", "text/csv", "multipart/form-data"),
    request: ["POST", `/api/v1/projects/${shop.project_id}/receipts/import`],
  },
  {
    sends: "a form where JSON goes",
    request: ["POST", orders],
    payload: multipart(Buffer.from("x")).payload,
    headers: { "content-type": multipart(Buffer.from("x")).type },
    answer: [415, "unsupported_media_type"],
    message: "Send Content-Type: application/json.",
  },
  text(
    "JSON with a comma too many",
    '{\n  "amount_minor": 8800,\n}',
    "Line 3, column 1: expected a name in double quotes, found }: remove the comma before it.",
  ),
  text("a name without quotes", "{amount_minor: 8800}", "Line 1, column 2: expected a name in double quotes or }, found amount_minor."),
  text("single quotes", "{'amount_minor': 8800}", "found ': use double quotes."),
  text("a comma too few", '{"amount_minor": 8800\n "currency": "CNY"}', 'Line 2, column 2: expected a comma or }, found ".'),
  text("Python's None", '{"amount_minor": None}', "Line 1, column 18: expected a value, found None."),
  text("a body that breaks off", '{"amount_minor": 88', "Line 1, column 20: expected a comma or }, found the end of the body."),
  text("a text that breaks off", '{"currency": "CN', "Line 1, column 14: this string has no closing quote."),
  text(
    "a line break in a text",
    '{"currency": "C\nN"}',
    "Line 1, column 16: a line break or control character in a string must be escaped, as \\n.",
  ),
  text("a comment", '{"currency": "CNY" // yuan\n}', "found /: JSON has no comments."),
  text("a form", "amount_minor=8800&currency=CNY", "this looks like a form, send JSON."),
  text("two documents", "{}{}", "Line 1, column 3: expected nothing after the end, found {."),
  {
    ...text("broken JSON to the messaging API", '{"to": [}', "Line 1, column 9: expected a value or ], found }."),
    request: ["POST", "/v1/emails"],
  },
  // Keys
  signed("a key of Stripe's", bearer("sk_test_4eC39HqLyjWDarjtT1zdp7dc")).gets(
    [401, "api_key_invalid"],
    "isn't an API key of this service. API keys start with svc_test_ or svc_live_.",
  ),
  signed("a key of Resend's in X-API-Key", { "x-api-key": "re_123456789" }).gets(
    [401, "api_key_invalid"],
    "start with svc_test_ or svc_live_.",
  ),
  signed("a webhook's secret", bearer("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).gets(
    [401, "api_key_invalid"],
    "signing secret of a webhook endpoint, not an API key.",
  ),
  signed("a payment link's token", bearer("pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe")).gets(
    [401, "api_key_invalid"],
    "token of a payment link",
  ),
  signed("a key's id", bearer("key_01m7wje4wze7as3wcxk3xbrgav")).gets([401, "api_key_invalid"], "This is an ID, not the key itself."),
  signed("half of a key", bearer(shop.key.slice(0, 20))).gets(
    [401, "api_key_invalid"],
    "has 20 characters, but a complete key has 45. Copy it again.",
  ),
  signed("a key with two characters swapped", bearer(`${shop.key.slice(0, -1)}${shop.key.endsWith("A") ? "B" : "A"}`)).gets(
    [401, "api_key_invalid"],
    "typo: its checksum doesn't match.",
  ),
  signed("a key without its scheme", { authorization: shop.key }).gets(
    [401, "authentication_required"],
    "Send `Authorization: Bearer <API key>`",
  ),
  signed("a key as a user name", { authorization: `Basic ${Buffer.from(`${shop.key}:`).toString("base64")}` }).gets(
    [401, "authentication_required"],
    "Basic authentication isn't supported.",
  ),
  signed("no key", {}).gets([401, "authentication_required"], "Send an API key in the Authorization header (Bearer) or in X-API-Key."),
  // Names
  posting("part of a name", { amount: 8800, currency: "CNY" }).gets(
    [400, "parameter_missing", "amount_minor"],
    "amount isn't a parameter of this endpoint. Did you mean amount_minor?",
  ),
  posting("a name in camel case", { ...good, returnUrl: "https://shop.example" }).gets(
    [400, "parameter_unknown", "returnUrl"],
    "Did you mean return_url?",
  ),
  posting("a slip of the keyboard", { ...good, metadta: {} }).gets([400, "parameter_unknown", "metadta"], "Did you mean metadata?"),
  posting("a slip further in", { ...good, customer: { emial: "a@b.example" } }).gets(
    [400, "parameter_unknown", "customer.emial"],
    "Did you mean email?",
  ),
  posting("an empty text", { ...good, reference: "" }).gets([400, "parameter_invalid", "reference"], "reference can't be empty."),
  posting("no e-mail address", { ...good, customer: { email: "ada" } }).gets(
    [400, "parameter_invalid", "customer.email"],
    "must be an email address.",
  ),
  posting("a key that is too long", { ...good, metadata: { ["k".repeat(41)]: "v" } }).gets(
    [400, "parameter_invalid", `metadata.${"k".repeat(41)}`],
    "isn't an allowed key: keys have 1 to 40 characters.",
  ),
  {
    ...posting("a number beyond all numbers", undefined).gets([400, "parameter_invalid", "amount_minor"], /from 1 to 99999999999\.$/),
    payload: '{"amount_minor": 1e400, "currency": "CNY"}',
    headers: json,
  },
  posting("a name like no other", { ...good, colour: "blue" }).gets(
    [400, "parameter_unknown", "colour"],
    /colour isn't a parameter of this endpoint\.$/,
  ),
  {
    sends: "a filter of another spelling",
    request: ["GET", `${orders}?startingAfter=x`],
    answer: [400, "parameter_unknown", "startingAfter"],
    message: "Did you mean starting_after?",
  },
  {
    sends: "a parameter twice",
    request: ["GET", `${orders}?limit=1&limit=2`],
    answer: [400, "parameter_invalid", "limit"],
    message: "limit can only be sent once.",
  },
  mailing("an unknown field of an attachment", { attachments: [{ filename: "a", content: "YQ==", contentType: "text/plain" }] }).gets(
    [400, "parameter_unknown", "attachments[0].contentType"],
    "Did you mean content_type?",
  ),
  // One notation
  mailing("a list with a bad address", { to: ["b@simulator.tillpost.test", "nobody"] }).gets(
    [400, "recipient_invalid", "to[1]"],
    "This isn't an email address.",
  ),
  mailing("a list in a list", { to: [["b@simulator.tillpost.test"]] }).gets(
    [400, "parameter_invalid", "to[0]"],
    "to[0] must be a string, not a list.",
  ),
  mailing("an attachment that is no base64", { attachments: [{ filename: "a", content: "§" }] }).gets(
    [400, "attachment_invalid", "attachments[0].content"],
    "base64",
  ),
  mailing("a tag with a space", {
    tags: [
      { name: "ok", value: "ok" },
      { name: "a b", value: "c" },
    ],
  }).gets([400, "parameter_invalid", "tags[1].name"], "A tag's name has"),
  mailing("a NUL in a list", { to: ["a\u0000@b.example"] }).gets([400, "parameter_invalid", "to[0]"], "NUL"),
  posting("metadata under a digit", { ...good, metadata: { 0: 1 } }).gets(
    [400, "parameter_invalid", "metadata.0"],
    "metadata.0 must be a string, not a number.",
  ),
  {
    sends: "an unknown event",
    request: ["POST", `/api/v1/projects/${shop.project_id}/webhooks`],
    body: { url: "https://192.0.2.1/x", events: ["order.paid", 7] },
    answer: [400, "parameter_invalid", "events[1]"],
    message: "must be a string, not a number",
  },
  // Numbers of the wrong kind
  ...(["8800", 88.5, true, null, [1], {}] as const).map((amount_minor) =>
    posting(`an amount written as ${JSON.stringify(amount_minor)}`, { ...good, amount_minor }).gets(
      [400, "parameter_invalid", "amount_minor"],
      /amount_minor must be a whole number of minor units from 1 to 99999999999, not /,
    ),
  ),
  posting("an amount of nothing", { ...good, amount_minor: 0 }).gets(
    [400, "amount_out_of_range", "amount_minor"],
    "must be a whole number of minor units from 1 to 99999999999.",
  ),
  posting("a life of half a second", { ...good, expires_in: 300.5 }).gets(
    [400, "parameter_invalid", "expires_in"],
    "expires_in must be a whole number, not a fraction.",
  ),
  posting("a life in words", { ...good, expires_in: "300" }).gets(
    [400, "parameter_invalid", "expires_in"],
    "expires_in must be a whole number, not a string.",
  ),
];

describe("an error says what to do", () => {
  test.each(rows.map((row) => [row.sends, row] as const))(
    "%s",
    async (_sends, { request, credentials, headers, body, payload, answer, message }) => {
      const [method, path] = request;
      const sent = {
        headers: { ...(credentials ?? bearer(shop.key)), ...headers },
        ...(body === undefined ? {} : { body }),
        ...(payload === undefined ? {} : { payload }),
      };
      const reply = await app.api().call(method, path, sent);
      const { error } = reply.body;
      expect([reply.status, error.code, ...(answer[2] === undefined ? [] : [error.param])], reply.text).toEqual(answer);
      const sentences = [error.message, ...(error.details ?? []).map(({ message }: { message: string }) => message)].join("\n");
      if (typeof message === "string") expect(sentences).toContain(message);
      else expect(sentences).toMatch(message);
      expect(error.doc_url).toBe(`http://localhost:8080/docs/errors#${error.code}`);
    },
  );
});

test("every code has a sentence and a remedy on the page that doc_url leads to", async () => {
  const { text: page } = await app.api().get("/docs/errors");
  for (const { code, remedy } of listErrors()) {
    expect(page, code).toContain(`id="${code}"`);
    expect(remedy, code).toMatch(/^[A-Z].{10,}\.$/);
  }
});

test("reveals nothing about existing keys: a key with a correct checksum and one of another installation get the same response", async () => {
  const stranger = await app.api("svc_test_000000000000000000000000000000000000").get("/api/v1/merchant");
  expect(stranger.body.error.message).not.toContain(shop.key);
});
