import type { CallbackRefusal, SimulatedCallback } from "#gateways/index.ts";

/** A request to the callback route: a callback as its provider created it, or a modified one. */
export type Posted = Pick<SimulatedCallback, "url" | "headers" | "body">;

/** A genuine callback as a stranger changes it. */
export interface Forgery {
  name: string;
  change(real: Posted): Posted;
}

const headerOf = ({ headers }: Posted, name: string) => Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? "";

/** A place in a callback that can carry a proof: a header, or a field of a form. */
export interface Proof {
  read(real: Posted): string;
  write(real: Posted, value: string | null): Posted;
}

/** A header, by its name in lower case. */
export const inHeader = (name: string): Proof => ({
  read: (real) => headerOf(real, name),
  write(real, value) {
    const headers = Object.fromEntries(Object.entries(real.headers).filter(([one]) => one.toLowerCase() !== name));
    return { ...real, headers: value === null ? headers : { ...headers, [name]: value } };
  },
});

/** A field of a form. */
export const inForm = (name: string): Proof => ({
  read: ({ body }) => new URLSearchParams(body).get(name) ?? "",
  write(real, value) {
    const form = new URLSearchParams(real.body);
    form.delete(name);
    if (value !== null) form.set(name, value);
    return { ...real, body: form.toString() };
  },
});

const json = (body: string) => body.trimStart().startsWith("{");
const bytes = "0123456789abcdef".repeat(16);

/** Changes of a body that its signature doesn't cover any more. */
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
  {
    name: "a name twice",
    change: (real) => ({ ...real, body: json(real.body) ? real.body.replace("{", '{"id":"other",') : `${real.body}&notify_id=other` }),
  },
];

/** The payment's numbers as providers write them, and what strangers would like them to be. */
const ofAmount: readonly Forgery[] = ["1", "-1", "0.01", '"1"', "1e9"].map((text) => ({
  name: `${text} for an amount`,
  change: (real) => ({ ...real, body: real.body.replaceAll(/"?9876\.?54"?/g, text) }),
}));

interface ForgedProof {
  proof: Proof;
  forgeries: readonly Forgery[];
  severalSignatures?: boolean;
}

/**
 * Every way in which strangers change a genuine callback of a provider that signs; those that change nothing for this provider are omitted.
 */
export function forgeriesOf({ proof, forgeries, severalSignatures = false }: ForgedProof, real: Posted): Forgery[] {
  const own = proof.read(real);
  const all: Forgery[] = [
    { name: "no signature", change: (one) => proof.write(one, null) },
    {
      name: "no header but the type",
      change: (one) => ({ ...proof.write(one, null), headers: { "content-type": headerOf(one, "content-type") } }),
    },
    { name: "an empty signature", change: (one) => proof.write(one, "") },
    { name: "a short signature", change: (one) => proof.write(one, own.slice(0, 8)) },
    { name: "a signature of the right length", change: (one) => proof.write(one, flipped(own)) },
    { name: "a signature of another kind", change: (one) => proof.write(one, bytes) },
    { name: "two signatures", change: (one) => proof.write(one, `${severalSignatures ? flipped(own) : own}, ${flipped(own)}`) },
    ...ofBody,
    ...ofAmount,
    ...forgeries,
  ];
  return all.filter(({ change }) => {
    const { headers, body } = change(real);
    return body !== real.body || JSON.stringify(headers) !== JSON.stringify(real.headers);
  });
}

/** Another letter or digit in the last third: what comes before the first may only specify how it is signed. */
function flipped(text: string): string {
  const at = Math.floor(text.length * 0.7);
  return `${text.slice(0, at)}${text.charAt(at) === "a" ? "b" : "a"}${text.slice(at + 1)}`;
}

/** Why a callback can be refused. */
export const refusals: readonly CallbackRefusal[] = ["signature", "stale", "unknown_key", "malformed", "unsupported"];
