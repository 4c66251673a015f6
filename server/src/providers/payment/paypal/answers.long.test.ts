import { Client, OrdersController, PaymentsController, TransactionSearchController } from "@paypal/paypal-server-sdk";
import { expect, test } from "vitest";
import { brokenAnswer, type Recorded, recordAnswers } from "#test/support/gateways/published/record-answers.ts";
import { type AnswerType, typeFaults } from "#test/support/gateways/published/type-faults.ts";
import { paypal } from "./adapter.ts";
import { paypalSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

/** PayPal's own library, generated from its OpenAPI documents, to which the network answers this. */
function libraryAnswered({ status, body }: Recorded): Client {
  const headers = { "content-type": "application/json" };
  return new Client({
    clientCredentialsAuthCredentials: {
      oAuthClientId: "client",
      oAuthClientSecret: "secret",
      oAuthToken: { accessToken: "token", tokenType: "Bearer" },
    },
    unstable_httpClientOptions: {
      adapter: async (config: object) => ({ status, statusText: "", headers, config, data: JSON.stringify(body) }),
    },
  });
}

const id = "0";
const span = { startDate: "2026-11-20T00:00:00Z", endDate: "2026-11-21T00:00:00Z" };
/** How the library reads each answer, which throws if that contradicts its schema, and the type of what it read. */
const readers: (AnswerType & { read(client: Client): Promise<{ result: object }> })[] = [
  {
    request: /^POST \/v2\/checkout\/orders$/,
    type: "Wire<paypal.Order>",
    read: (client) => new OrdersController(client).createOrder({ body: { intent: "CAPTURE" as never, purchaseUnits: [] } }),
  },
  {
    request: /^POST \/v2\/checkout\/orders\/[^/]+\/capture$/,
    type: "Wire<paypal.Order>",
    read: (client) => new OrdersController(client).captureOrder({ id }),
  },
  {
    request: /^(GET \/v2\/checkout\/orders\/[^/]+|checkout-order)$/,
    type: "Wire<paypal.Order>",
    read: (client) => new OrdersController(client).getOrder({ id }),
  },
  {
    request: /^capture$/,
    type: "Wire<paypal.CapturedPayment>",
    read: (client) => new PaymentsController(client).getCapturedPayment({ captureId: id }),
  },
  {
    request: /^POST \/v2\/payments\/captures\/[^/]+\/refund$/,
    type: "Wire<paypal.Refund>",
    read: (client) => new PaymentsController(client).refundCapturedPayment({ captureId: id }),
  },
  {
    request: /^(GET \/v2\/payments\/refunds\/[^/]+|refund)$/,
    type: "Wire<paypal.Refund>",
    read: (client) => new PaymentsController(client).getRefund({ refundId: id }),
  },
  {
    request: /^GET \/v1\/reporting\/transactions$/,
    type: "Wire<paypal.SearchResponse>",
    read: (client) => new TransactionSearchController(client).searchTransactions(span),
  },
];

/**
 * The objects of events under the names of their types. The library has no disputes, and reads only a part of the answer with the token.
 */
function known(recorded: readonly Recorded[]): Recorded[] {
  return recorded.flatMap((one) => {
    if (one.request === "POST /v1/oauth2/token") return [];
    if (one.request !== "callback") return [one];
    const { resource_type, resource } = one.body as { resource_type: string; resource: unknown };
    return resource_type === "dispute" ? [] : [{ ...one, request: resource_type, body: resource }];
  });
}

const countLeaves = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.values(value).reduce((sum: number, one) => sum + countLeaves(one), 0) : 1;

/** What the library reads in an answer; throws if it refuses the answer or leaves something out, such as a misspelt property. */
async function readAnswer(answer: Recorded): Promise<Recorded> {
  const reader = readers.find(({ request }) => request.test(answer.request));
  if (reader === undefined) throw new Error(`nothing reads the answer to ${answer.request}`);
  const { result } = await reader.read(libraryAnswered(answer));
  if (countLeaves(result) !== countLeaves(answer.body))
    throw new Error(`${answer.request}: not all is known of ${JSON.stringify(answer.body)}`);
  return { ...answer, body: result };
}

test("PayPal's own library reads all that the simulator answers and sends, by its schemas and its types", async () => {
  const recorded = known(await recordAnswers({ adapter: paypal, simulator: paypalSimulator, ...facts }));
  const read = await Promise.all(recorded.filter(({ status }) => status < 300).map(readAnswer));
  const imports = 'import type * as paypal from "@paypal/paypal-server-sdk";';
  expect(typeFaults(read, { imports, types: readers })).toEqual([]);
  await expect(readAnswer(brokenAnswer(recorded, /^GET \/v2\/checkout\/orders\//))).rejects.toThrow("did not match the response schema");
});
