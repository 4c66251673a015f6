import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type SimulatedInbound, simulateInbound } from "#email/index.ts";
import { platformErrors, type Tenant } from "#platform/index.ts";
import { oneOf, refTo, strict, text, textOrNull } from "#schemas/index.ts";
import { simulateInboundSms } from "#sms/index.ts";
import { requireScope } from "../gate/require-scope.ts";

const acts = ["reply", "complaint", "bounce", "unsubscribe"] as const;

const smsIn = strict(
  {
    from: Type.String({ maxLength: 32, description: "Whose handset it comes from.", examples: ["+15005551000"] }),
    to: Type.Optional(textOrNull("The number that it comes to; `+15005550006` when absent.", { maxLength: 32, examples: ["+15005550006"] })),
    body: Type.String({ maxLength: 10_000, description: "What it says; `STOP`, `START` and `HELP` are understood.", examples: ["STOP"] }),
  },
  { description: "An SMS that comes in." },
);

const inboundIn = strict({
  type: Type.Optional(oneOf(acts, "What the recipient of an e-mail does.")),
  email_id: Type.Optional(text("The e-mail, which must have arrived.", ["em_01m7wje4wze7as3wcxk3xbrgav"])),
  recipient: Type.Optional(textOrNull("Which of several recipients; the first when absent.", { maxLength: 320, examples: ["ada@example.com"] })),
  text: Type.Optional(textOrNull("What a reply says.", { maxLength: 10_000, examples: ["Thank you."] })),
  sms: Type.Optional(smsIn),
});

type InboundShape = Tenant & {
  object: "inbound";
  type: SimulatedInbound["type"] | "message";
  email_id: string | null;
  sms_id: string | null;
  recipient: string;
};

/** What comes back to a sender, played in TEST. */
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
        tags: ["E-mail", "SMS"],
        summary: "Simulate a recipient action",
        description:
          "TEST alone. By e-mail: a reply, a complaint, a bounce that comes late, an unsubscription, named by `type` and `email_id`. By SMS: a message that comes in, as `sms`. They go through the same code as real ones.",
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
        return reply
          .code(201)
          .send({ object: "inbound" as const, project_id, livemode, type: "message" as const, email_id: null, sms_id: id, recipient: sender });
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
