import type { CallbackRefusal } from "#gateways/index.ts";
import type { Posted } from "./simulated-house.ts";

/** A genuine callback as a stranger changes it. */
export interface Forgery {
  name: string;
  change(real: Posted): Posted;
}

const header = (name: string) => (real: Posted, value: string | null) => {
  const headers = Object.fromEntries(Object.entries(real.headers).filter(([one]) => one.toLowerCase() !== name));
  return { ...real, headers: value === null ? headers : { ...headers, [name]: value } };
};
const headerOf = ({ headers }: Posted, name: string) => Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? "";

/** Where a provider's proof stands: in a header, or in a field of a form. */
interface Proof {
  read(real: Posted): string;
  write(real: Posted, value: string | null): Posted;
}

const inHeader = (name: string): Proof => ({ read: (real) => headerOf(real, name), write: header(name) });
const inForm = (name: string): Proof => ({
  read: ({ body }) => new URLSearchParams(body).get(name) ?? "",
  write(real, value) {
    const form = new URLSearchParams(real.body);
    form.delete(name);
    if (value !== null) form.set(name, value);
    return { ...real, body: form.toString() };
  },
});

const proofs: Readonly<Record<string, Proof>> = {
  stripe: inHeader("stripe-signature"),
  paypal: inHeader("paypal-transmission-sig"),
  wechatpay_merchant: inHeader("wechatpay-signature"),
  alipay_merchant: inForm("sign"),
  razorpay: inHeader("x-razorpay-signature"),
  btcpay: inHeader("btcpay-sig"),
};

/** Weaker ways of proving, other keys, and what only this provider's callbacks have. */
const ofProvider: Readonly<Record<string, readonly Forgery[]>> = {
  stripe: [
    {
      name: "the signature under the older scheme",
      change: (real) => header("stripe-signature")(real, headerOf(real, "stripe-signature").replace("v1=", "v0=")),
    },
    {
      name: "another time in the signed header",
      change: (real) => header("stripe-signature")(real, headerOf(real, "stripe-signature").replace(/t=\d/, "t=9")),
    },
    { name: "two times in the signed header", change: (real) => header("stripe-signature")(real, `t=1,${headerOf(real, "stripe-signature")}`) },
  ],
  paypal: [
    { name: "a weaker algorithm", change: (real) => header("paypal-auth-algo")(real, "SHA1withRSA") },
    { name: "MD5 as the algorithm", change: (real) => header("paypal-auth-algo")(real, "MD5withRSA") },
    {
      name: "a certificate of somebody else's host",
      change: (real) => header("paypal-cert-url")(real, "https://evil.example/v1/notifications/certs/CERT-1-2"),
    },
    { name: "a certificate that nobody knows", change: (real) => header("paypal-cert-url")(real, `${headerOf(real, "paypal-cert-url")}0`) },
    { name: "another transmission", change: (real) => header("paypal-transmission-id")(real, "00000000-0000-0000-0000-000000000000") },
    { name: "another time", change: (real) => header("paypal-transmission-time")(real, "2020-01-01T00:00:00Z") },
  ],
  wechatpay_merchant: [
    { name: "an unknown certificate's serial number", change: (real) => header("wechatpay-serial")(real, "7777777777777777777777777777777777777777") },
    { name: "another nonce", change: (real) => header("wechatpay-nonce")(real, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345") },
    { name: "another time", change: (real) => header("wechatpay-timestamp")(real, String(Number(headerOf(real, "wechatpay-timestamp")) + 1)) },
    {
      name: "a probe's signature",
      change: (real) => header("wechatpay-signature")(real, `WECHATPAY/SIGNTEST/${headerOf(real, "wechatpay-signature")}`),
    },
  ],
  alipay_merchant: [
    ...["RSA", "MD5", "rsa2"].map((type) => ({ name: `${type} as the way of signing`, change: (real: Posted) => inForm("sign_type").write(real, type) })),
    { name: "another seller", change: (real) => inForm("seller_id").write(real, "2088000000000000") },
    { name: "another app", change: (real) => inForm("app_id").write(real, "2021000000000000") },
    { name: "an amount as an exponent", change: (real) => inForm("total_amount").write(real, "1e9") },
    { name: "a negative amount", change: (real) => inForm("total_amount").write(real, "-0.01") },
    { name: "a parameter twice", change: (real) => ({ ...real, body: `${real.body}&total_amount=0.01` }) },
    { name: "a field that flows into the next", change: (real) => ({ ...real, body: real.body.replace(/&/, "%26") }) },
  ],
  razorpay: [
    {
      name: "a signature in capitals of another length",
      change: (real) => header("x-razorpay-signature")(real, `${headerOf(real, "x-razorpay-signature")}00`),
    },
  ],
  btcpay: [
    { name: "a weaker digest", change: (real) => header("btcpay-sig")(real, headerOf(real, "btcpay-sig").replace("sha256=", "sha1=")) },
    { name: "a signature without its digest's name", change: (real) => header("btcpay-sig")(real, headerOf(real, "btcpay-sig").replace("sha256=", "")) },
  ],
  mollie: [],
};

const json = (body: string) => body.trimStart().startsWith("{");
const bytes = "0123456789abcdef".repeat(16);

/** Changes of a body that its signature does not cover any more. */
const ofBody: readonly Forgery[] = [
  { name: "nothing at all", change: (real) => ({ ...real, headers: {}, body: "" }) },
  { name: "bytes that are no callback", change: (real) => ({ ...real, body: "%PDF-1.7" }) },
  { name: "a body cut short", change: (real) => ({ ...real, body: real.body.slice(0, -1) }) },
  { name: "a longer body", change: (real) => ({ ...real, body: `${real.body} ` }) },
  {
    name: "a body written anew",
    change: (real) => ({
      ...real,
      body: json(real.body)
        ? JSON.stringify(JSON.parse(real.body), null, 3)
        : new URLSearchParams([...new URLSearchParams(real.body), ["extra", "1"]]).toString(),
    }),
  },
  { name: "a name twice", change: (real) => ({ ...real, body: json(real.body) ? real.body.replace("{", '{"id":"other",') : `${real.body}&notify_id=other` }) },
];

/** Numbers of the payment as providers write them, and what strangers would like them to be. */
const ofAmount: readonly Forgery[] = ["1", "-1", "0.01", '"1"', "1e9"].map((text) => ({
  name: `${text} for an amount`,
  change: (real) => ({ ...real, body: real.body.replaceAll(/"?9876\.?54"?/g, text) }),
}));

/** Every way in which strangers change a genuine callback of a provider that signs; those that leave it as it is for this provider are left out. */
export function forgeriesOf(slug: string, real: Posted): Forgery[] {
  const proof = proofs[slug];
  if (proof === undefined) return [];
  const own = proof.read(real);
  const all: Forgery[] = [
    { name: "no signature", change: (one) => proof.write(one, null) },
    { name: "no header but the type", change: (one) => ({ ...proof.write(one, null), headers: { "content-type": headerOf(one, "content-type") } }) },
    { name: "an empty signature", change: (one) => proof.write(one, "") },
    { name: "a short signature", change: (one) => proof.write(one, own.slice(0, 8)) },
    { name: "a signature of the right length", change: (one) => proof.write(one, flipped(own)) },
    { name: "a signature of another kind", change: (one) => proof.write(one, bytes) },
    { name: "the signature twice", change: (one) => proof.write(one, `${own}, ${flipped(own)}`) },
    ...ofBody,
    ...ofAmount,
    ...(ofProvider[slug] ?? []),
  ];
  return all.filter(({ change }) => {
    const { headers, body } = change(real);
    return body !== real.body || JSON.stringify(headers) !== JSON.stringify(real.headers);
  });
}

/** Another letter or digit in the last third: what stands before the first may only name the way of signing. */
function flipped(text: string): string {
  const at = Math.floor(text.length * 0.7);
  return `${text.slice(0, at)}${text.charAt(at) === "a" ? "b" : "a"}${text.slice(at + 1)}`;
}

/** How old a callback may be at each provider that says when it signed; null where a repeat of days ago is as good as the first. */
export const staleAfterSeconds: Readonly<Record<string, number | null>> = { stripe: 300, wechatpay_merchant: 300 };

/** Why a callback can be refused. */
export const refusals: readonly CallbackRefusal[] = ["signature", "stale", "unknown_key", "malformed", "unsupported"];
