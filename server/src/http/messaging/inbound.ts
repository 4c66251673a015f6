import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type SimulatedInbound, simulateInbound } from "#email/index.ts";
import { oneOf, refTo, strict, text, textOrNull } from "#schemas/index.ts";

const inboundIn = strict({
  type: oneOf(["reply", "complaint", "bounce", "unsubscribe"], "What the recipient does."),
  email_id: text("The message, which must have arrived.", ["em_01m7wje4wze7as3wcxk3xbrgav"]),
  recipient: Type.Optional(textOrNull("Which of several recipients; the first when absent.", { maxLength: 320, examples: ["ada@example.com"] })),
  text: Type.Optional(textOrNull("What a reply says.", { maxLength: 10_000, examples: ["Thank you."] })),
});

/** What comes back to a sender, played in TEST. */
export const inboundRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/test/inbound",
    {
      config: { scope: "emails:write", errors: ["environment_mismatch", "resource_missing", "email_state_conflict"] },
      schema: {
        operationId: "simulateInbound",
        tags: ["E-mail"],
        summary: "Play what a recipient does",
        description: "TEST alone: a reply, a complaint, a bounce that comes late, an unsubscription. They go through the same code as real ones.",
        body: inboundIn,
        response: { 201: refTo<SimulatedInbound & { object: "inbound" }>("Inbound") },
      },
    },
    async (request, reply) => {
      const played = await simulateInbound(request.ctx, request.tenant, request.body);
      return reply.code(201).send({ object: "inbound" as const, ...played });
    },
  );
};
