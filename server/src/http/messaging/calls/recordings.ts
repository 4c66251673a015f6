import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { deleteRecording, listRecordings } from "#calls/index.ts";
import { cutPage } from "#platform/index.ts";
import { type App, cursorOf, listOf, pageErrors, showList } from "#requests/index.ts";
import { pathOf, type RecordingShape, refTo } from "#schemas/index.ts";
import { messageListQuery, readMessageList } from "../message-lists.ts";

const tags = ["Calls"];

/** Recordings of calls. */
export const recordingRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app);
  remove(app);
};

function listRoute(app: App): void {
  app.get(
    "/calls/:id/recordings",
    {
      config: { scope: "calls:read", errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listRecordings",
        tags,
        summary: "List a call's recordings",
        description: "Each has a link that plays it for 15 minutes. Recordings are kept for 30 days.",
        params: pathOf("id"),
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<RecordingShape>("Recording", "a recording's ID") },
      },
    },
    async (request) => {
      const { id } = request.params;
      const all = await listRecordings(request.ctx, request.tenant, { call_id: id });
      const { rows, ...page } = cutPage(all, cursorOf(readMessageList(request.query)));
      return showList({ url: `/v1/calls/${id}/recordings`, data: rows, ...page });
    },
  );
}

function remove(app: App): void {
  app.delete(
    "/calls/:id/recordings/:recordingId",
    {
      config: { scope: "calls:write", errors: ["resource_missing"] },
      schema: {
        operationId: "deleteRecording",
        tags,
        summary: "Delete a recording",
        description: "Deletes the audio too; existing links to it stop working.",
        params: pathOf("id", "recordingId"),
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { id, recordingId } = request.params;
      await deleteRecording(request.ctx, request.tenant, { call_id: id, id: recordingId });
      return { id: recordingId, object: "recording", deleted: true as const };
    },
  );
}
