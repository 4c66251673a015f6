import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type SmsThreadShape, showSmsThread } from "#schemas/index.ts";
import { listThreads } from "#sms/index.ts";
import { cursorOf, listOf, many, pageErrors, showList } from "../../lists.ts";
import { messageListQuery, readMessageList, withPlus } from "../message-lists.ts";

const number = { maxLength: 32 };

/** Conversations by SMS. Their messages are read by the list of messages, with both numbers in `from` and `to`. */
export const smsThreadRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/sms/threads",
    {
      config: { scope: "sms:read", errors: pageErrors },
      schema: {
        operationId: "listSmsThreads",
        tags: ["SMS"],
        summary: "List conversations",
        description:
          "Numbers that have written to one of yours, whoever wrote last first. For the messages of one, give `GET /v1/sms` both numbers as `from` and both as `to`.",
        querystring: messageListQuery({
          created: false,
          more: {
            number: many("Only with these numbers of yours. May be repeated.", number),
            contact: many("Only with these other numbers. May be repeated.", number),
            q: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: "The beginning of the other number." })),
          },
        }),
        response: { 200: listOf<SmsThreadShape>("SmsThread", "a conversation's id") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { number: own, contact } = request.query as Record<string, string[] | undefined>;
      const filters = {
        ...(own === undefined ? {} : { number: withPlus(own) }),
        ...(contact === undefined ? {} : { contact: withPlus(contact) }),
        ...(query.q === null ? {} : { q: withPlus([query.q])[0] ?? query.q }),
      };
      const { rows, ...page } = await listThreads(request.ctx, request.tenant, { ...cursorOf(query), filters });
      return showList({ url: "/v1/sms/threads", data: rows.map(showSmsThread), ...page });
    },
  );
};
