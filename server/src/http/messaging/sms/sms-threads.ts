import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { cursorOf, listOf, many, pageErrors, showList } from "#requests/index.ts";
import { type SmsThreadShape, showSmsThread } from "#schemas/index.ts";
import { listThreads } from "#sms/index.ts";
import { messageListQuery, readMessageList, withPlus } from "../message-lists.ts";

const number = { maxLength: 32 };

/** SMS conversations. Their messages are in the list of messages, filtered by both numbers in `from` and `to`. */
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
          "Everyone who has texted one of your numbers, most recent first. To list the messages of a conversation, pass both numbers as `from` and as `to` to `GET /v1/sms`.",
        querystring: messageListQuery({
          created: false,
          more: {
            number: many("Only with these of your numbers. Can be repeated.", number),
            contact: many("Only with these contacts. Can be repeated.", number),
            q: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: "The start of the contact's number." })),
          },
        }),
        response: { 200: listOf<SmsThreadShape>("SmsThread", "a conversation's ID") },
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
