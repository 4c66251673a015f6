import { eventParts, eventSchemas, payloadName, sentenceOf } from "#schemas/index.ts";
import { cleanSchema, mapValues, pascal, refOf } from "./clean-schema.ts";
import type { Document, Operation, Parameter, Schema } from "./types.ts";

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const signed: Parameter[] = [
  header("webhook-id", "The event's ID; the same in every attempt.", "evt_01m7wje4wze7as3wcxk3xbrgav"),
  header("webhook-timestamp", "When this attempt was made, as Unix time in seconds.", "1763649000"),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of ID, timestamp and body, as defined by Standard Webhooks.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  header(
    "X-Service-Signature",
    "The hex HMAC-SHA256 of the raw body, with the whole secret as the key.",
    "3d5f0cf8a1c1b5d5f7f0d0c3c7a0b8de9f9b1f4f2f3c1a5e7d6b4c3a2f1e0d9c",
  ),
];

/** The schemas of all events and of their union, for the document's components. */
export function eventComponents(): Record<string, Schema> {
  const names = Object.keys(eventSchemas);
  const refs = names.map((event) => [event, refOf(payloadName(event))] as const);
  return {
    ...mapValues(eventParts, cleanSchema),
    ...Object.fromEntries(names.map((event) => [payloadName(event), cleanSchema(eventSchemas[event])])),
    WebhookEvent: {
      description: "The body of a delivery. `event` determines its type.",
      oneOf: refs.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: "event", mapping: Object.fromEntries(refs) },
    },
  };
}

/** The section of the document about requests to webhook endpoints. */
export function describeEvents(): NonNullable<Document["webhooks"]> {
  return Object.fromEntries(Object.keys(eventSchemas).map((event) => [event, { post: deliveryOf(event) }]));
}

function deliveryOf(event: string): Operation {
  return {
    operationId: `on${pascal(event)}`,
    summary: sentenceOf(event),
    tags: ["Webhooks"],
    security: [],
    parameters: signed.map(({ name }) => ({ $ref: `#/components/parameters/${pascal(name)}` }) as Parameter),
    requestBody: { required: true, content: { "application/json": { schema: { $ref: refOf(payloadName(event)) } } } },
    responses: {
      "2XX": { description: "Any 2xx within 15 seconds accepts the event." },
      "410": { description: "Disables the endpoint." },
      default: { description: "The event is retried later." },
    },
  };
}

/** The headers of every delivery, as components. */
export const deliveryHeaders: Record<string, Parameter> = Object.fromEntries(
  signed.map((parameter) => [pascal(parameter.name), parameter]),
);
