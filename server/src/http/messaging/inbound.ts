import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type SimulatedInbound, simulateInbound } from "#email/index.ts";
import { platformErrors, type Tenant } from "#platform/index.ts";
import { requireScope } from "#requests/index.ts";
import { oneOf, refTo, strict, text, textOrNull } from "#schemas/index.ts";
import { simulateInboundSms } from "#sms/index.ts";

const types = ["reply", "complaint", "bounce", "unsubscribe"] as const;

const smsIn = strict(
  {
    from: Type.String({ maxLength: 32, description: "The number that sends it.", examples: ["+15005551000"] }),
    to: Type.Optional(
      textOrNull("Your number that receives it. Defaults to `+15005550006`.", { maxLength: 32, examples: ["+15005550006"] }),
    ),
    body: Type.String({ maxLength: 10_000, description: "The text. `STOP`, `START` and `HELP` work as keywords.", examples: ["STOP"] }),
  },
  { description: "An inbound SMS." },
);

const inboundIn = strict({
  type: Type.Optional(oneOf(types, "What the email's recipient does.")),
  email_id: Type.Optional(text("The email. It must have been delivered.", ["em_01m7wje4wze7as3wcxk3xbrgav"])),
  recipient: Type.Optional(
    textOrNull("Which recipient, if there are several. Defaults to the first.", { maxLength: 320, examples: ["ada@example.com"] }),
  ),
  text: Type.Optional(textOrNull("The text of a reply.", { maxLength: 10_000, examples: ["Thank you."] })),
  sms: Type.Optional(smsIn),
});

type InboundShape = Tenant & {
  object: "inbound";
  type: SimulatedInbound["type"] | "message";
  email_id: string | null;
  sms_id: string | null;
  recipient: string;
};

/** Simulates inbound messages and reports in TEST. */
export const inboundRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/test/inbound",
    {
      config: {
        scope: "emails:write",
        alsoScopes: ["sms:write"],
        errors: ["environment_mismatch", "parameter_conflict", "resource_missing", "email_state_conflict"],
      },
      schema: {
        operationId: "simulateInbound",
        tags: ["Email", "SMS"],
        summary: "Simulate a recipient action",
        description:
          "Only in TEST. For email, send `type` and `email_id` to simulate a reply, a complaint, a late bounce or an unsubscribe. For SMS, send `sms` to simulate an inbound message. Simulated actions run through the same code as real ones.",
        body: inboundIn,
        response: { 201: refTo<InboundShape>("Inbound") },
      },
    },
    async (request, reply) => {
      const { type, email_id, sms, ...rest } = request.body;
      if (sms !== undefined) {
        requireScope(request, "sms:write");
        if (type !== undefined || email_id !== undefined)
          throw platformErrors.parameter_conflict({ param: "sms", reason: "only_one", message: "Send type and email_id, or sms." });
        const { id, project_id, livemode, sender } = await simulateInboundSms(request.ctx, request.tenant, sms);
        return reply.code(201).send({
          object: "inbound" as const,
          project_id,
          livemode,
          type: "message" as const,
          email_id: null,
          sms_id: id,
          recipient: sender,
        });
      }
      requireScope(request, "emails:write");
      if (type === undefined || email_id === undefined) throw missing(type === undefined ? "type" : "email_id");
      const played = await simulateInbound(request.ctx, request.tenant, { type, email_id, ...rest });
      return reply.code(201).send({ object: "inbound" as const, sms_id: null, ...played });
    },
  );
};

function missing(param: string): Error {
  return platformErrors.parameter_missing({ param, reason: "required", message: `${param} is required.` });
}
