import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import {
  type CredentialFault,
  type CredentialField,
  CredentialsInvalid,
  callProvider,
  type GatewayAccount,
  type GatewayAdapter,
  type GatewayCall,
  GatewayError,
  kindOfStatus,
  type PaymentSnapshot,
  type ProviderSimulator,
  readObject,
  retryAfterOf,
} from "#gateways/index.ts";
import { testPay } from "./payment-methods.ts";

const field = (name: string, more: Partial<CredentialField> = {}): CredentialField => ({
  ...{ name, secret: false, required: true, multiline: false, names: { en: name, zh: name }, hints: { en: `Your ${name}.`, zh: name } },
  ...more,
});

/** Whether the provider is the merchant's own server; whether it has a call that only checks credentials; what identifies its accounts. */
export interface ScriptedOptions {
  ownServer?: boolean;
  checks?: boolean;
  /** Whether the form itself identifies the account. */
  knowsAccount?: boolean;
}

/** A gateway that only tests have: small, and honest about every response of its provider. Keys begin with `tp_test_` or `tp_live_`. */
export function scriptedGateway({ ownServer = false, checks = true, knowsAccount = false }: ScriptedOptions = {}): GatewayAdapter {
  return {
    manifest: {
      method: testPay,
      fields: [
        field("key"),
        field("secret", { secret: true }),
        field("certificate", { secret: true, required: false, multiline: true }),
        ...(ownServer ? [field("base_url")] : []),
      ],
      hosts: ownServer ? null : { live: "https://api.testpay.example", test: "https://sandbox.testpay.example" },
      limits: { minMinor: () => 50, maxMinor: () => 1_000_000, stepMinor: () => 1 },
      lifetime: { minSeconds: 60, maxSeconds: 86_400 },
      refundDays: null,
      callbackPerPayment: true,
      callbackEvents: ["paid"],
    },
    open(fields, { livemode }) {
      const faults = faultsOf(fields, livemode, ownServer);
      if (faults.length > 0) throw new CredentialsInvalid(faults);
      return accountOf(fields, { checks, knowsAccount });
    },
    simulator: async () => scriptedSimulator,
    hint: () => null,
    answer: (outcome) => ({ status: outcome === "stored" ? 200 : 400, headers: {}, body: outcome }),
  };
}

/** Only opens accounts: the provider's responses are scripted by the test. */
const scriptedSimulator: ProviderSimulator = {
  slug: "testpay",
  outcomes: [],
  pages: /^\/pay\//,
  openAccount: async (world) => ({ key: `tp_test_${world.token(8)}`, secret: world.token(20) }),
  handle: async () => new Response("", { status: 404 }),
  simulate: () => Promise.reject(new Error("a test scripts its provider")),
  simulateRefund: () => Promise.reject(new Error("a test scripts its provider")),
  breakNext: () => Promise.reject(new Error("a test scripts its provider")),
  callbackOf: () => Promise.reject(new Error("a test scripts its provider")),
};

function faultsOf(fields: Readonly<Record<string, string>>, livemode: boolean, ownServer: boolean): CredentialFault[] {
  const faults: CredentialFault[] = [];
  const mode = livemode ? "live" : "test";
  for (const name of ["key", "secret", ...(ownServer ? ["base_url"] : [])])
    if (fields[name] === undefined) faults.push({ field: name, reason: "required", message: `${name} is needed.` });
  const { key, secret } = fields;
  if (key !== undefined && !/^tp_(test|live)_/.test(key))
    faults.push({ field: "key", reason: "malformed", message: "key begins with tp_test_ or tp_live_." });
  else if (key !== undefined && !key.startsWith(`tp_${mode}_`))
    faults.push({ field: "key", reason: "wrong_environment", message: `This key is not of the ${mode.toUpperCase()} environment.` });
  if (secret?.includes(" ") === true) faults.push({ field: "secret", reason: "malformed", message: "secret has no spaces." });
  return faults;
}

function accountOf(
  fields: Readonly<Record<string, string>>,
  { checks, knowsAccount }: { checks: boolean; knowsAccount: boolean },
): GatewayAccount {
  const ask = (call: GatewayCall, path: string, changes: boolean) => askWith(fields, call, { path, changes });
  const unscripted = async () =>
    Promise.reject(new GatewayError("invalid", { code: "not_scripted", message: "This test scripts no such call." }));
  return {
    id: knowsAccount ? `acct_${fields.key}` : null,
    keyIds: [],
    baseUrl: fields.base_url ?? null,
    check: checks
      ? async (call) => {
          const { account, name } = await ask(call, "/account", false);
          return { account: String(account), name: String(name) };
        }
      : null,
    async create(call, payment) {
      await ask(call, `/payments?secret=${fields.secret}`, true);
      const { reference } = payment;
      return {
        ...emptySnapshot,
        reference,
        asked: payment.amount,
        action: { type: "redirect", url: `https://testpay.example/${reference}` },
        actionExpiresAt: null,
      };
    },
    async query(call, { reference }) {
      await ask(call, `/payments/${reference}`, false);
      return { ...emptySnapshot, reference };
    },
    ...{ capture: null, close: null, listSettled: null },
    refund: unscripted,
    queryRefund: unscripted,
    verify: async (call, { body }) => {
      if (body.toString() === "ask") await ask(call, "/certificates", false);
      return body.toString() === fields.secret
        ? { ok: true, dedupeKey: "1", event: "paid", report: { kind: "nothing" } }
        : { ok: false, reason: "signature" };
    },
  };
}

/** Sends a request with the account's secret, and throws what the provider refuses with. */
async function askWith(fields: Readonly<Record<string, string>>, call: GatewayCall, { path, changes }: { path: string; changes: boolean }) {
  const headers = { authorization: `Bearer ${fields.secret}` };
  const method = changes ? "POST" : "GET";
  const answer = await callProvider(call, { method, path, headers, changes, ...(changes ? { body: "{}" } : {}) });
  const requestId = answer.headers.get("x-request-id");
  if (answer.status < 300) return readObject(answer.text, changes, requestId);
  const message = `The provider refused with ${answer.text}`;
  throw new GatewayError(kindOfStatus(answer.status, changes), {
    code: String(answer.status),
    message,
    requestId,
    retryAfter: retryAfterOf(answer.headers),
  });
}

const emptySnapshot: PaymentSnapshot = {
  ...{
    reference: null,
    providerId: null,
    captureId: null,
    state: "pending",
    asked: null,
    paid: null,
    refunded: null,
    fee: null,
    paidAt: null,
  },
  ...{ providerState: "open", livemode: false, account: null, failure: null },
};

/** What the provider does with its next request: a status with a body, or no response. */
export type ScriptedReply = { status: number; body?: string; headers?: Record<string, string> } | "hang_up";

export interface ScriptedProvider {
  url: string;
  /** Every request that arrived, newest last. */
  received: { method: string; path: string; authorization: string }[];
  /** Replies for the next requests, replacing those that were left; after them every request succeeds. */
  script(...replies: ScriptedReply[]): void;
  /** The account that the provider returns for a secret. */
  accounts: Map<string, string>;
  /** While true, every request is hung up on. */
  down: boolean;
}

/** The provider of `scriptedGateway`, on this machine. Closed when the test file ends. */
export async function scriptedProvider(): Promise<ScriptedProvider> {
  const replies: ScriptedReply[] = [];
  const provider: ScriptedProvider = {
    url: "",
    received: [],
    script: (...next) => void replies.splice(0, replies.length, ...next),
    accounts: new Map(),
    down: false,
  };
  const server = createServer((request, response) => {
    const { authorization = "" } = request.headers;
    request.resume().on("end", () => {
      provider.received.push({ method: request.method ?? "", path: request.url ?? "", authorization });
      const reply = provider.down ? "hang_up" : (replies.shift() ?? usualReply(provider, authorization));
      if (reply === "hang_up") return void request.socket.destroy();
      send(response, reply);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return provider;
}

function usualReply({ accounts }: ScriptedProvider, authorization: string): ScriptedReply {
  const secret = authorization.replace("Bearer ", "");
  if (secret.includes("wrong")) return { status: 401, body: `no account has ${secret}` };
  return { status: 200, body: JSON.stringify({ account: accounts.get(secret) ?? "acct_1", name: "Corner Books" }) };
}

function send(response: ServerResponse, { status, body = "{}", headers = {} }: Exclude<ScriptedReply, string>): void {
  response.writeHead(status, { "x-request-id": "prov_1", ...headers }).end(body);
}
