import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import {
  changePerson,
  endSessions,
  findPerson,
  listMerchantsOfPerson,
  listOpenSessions,
  listPasskeys,
  removePasskey,
} from "#identity/index.ts";
import { cutPage, platformErrors } from "#platform/index.ts";
import { type App, cursorOf, listOf, listQuery, pageErrors, readList, showList, visitorOf } from "#requests/index.ts";
import {
  type DoneShape,
  type MeShape,
  meChangeIn,
  type PasskeyShape,
  pathOf,
  refTo,
  type SessionShape,
  showMe,
  showPasskey,
  showSession,
} from "#schemas/index.ts";

const tags = ["Profile"];

/** The person's data and sessions. */
export const profileRoutes: FastifyPluginAsyncTypebox = async (app) => {
  meRoute(app);
  changeRoute(app);
  sessionsRoute(app);
  endRoute(app);
  endOthersRoute(app);
  passkeysRoute(app);
  removePasskeyRoute(app);
};

function meRoute(app: App): void {
  app.get(
    "/me",
    {
      config: { scope: "person" },
      schema: {
        operationId: "getMe",
        tags,
        summary: "Retrieve the current user",
        description: "Includes their permissions, so that pages can hide what would be refused.",
        response: { 200: refTo<MeShape>("Me") },
      },
    },
    (request) => me(request),
  );
}

function changeRoute(app: App): void {
  app.patch(
    "/me",
    {
      config: { scope: "person", confirmed: false },
      schema: {
        operationId: "updateMe",
        tags,
        summary: "Update name or language",
        body: meChangeIn,
        response: { 200: refTo<MeShape>("Me") },
      },
    },
    async (request) => {
      await changePerson(request.ctx, { person_id: visitorOf(request).id, ...request.body });
      return me(request);
    },
  );
}

function sessionsRoute(app: App): void {
  app.get(
    "/sessions",
    {
      config: { scope: "person", errors: pageErrors },
      schema: {
        operationId: "listSessions",
        tags,
        summary: "List sessions",
        description: "The person's sessions, newest first.",
        querystring: listQuery({ created: false }),
        response: { 200: listOf<SessionShape>("PersonSession", "a session's ID") },
      },
    },
    async (request) => {
      const { id, session_id } = visitorOf(request);
      const { rows, ...page } = cutPage(await listOpenSessions(request.ctx, id), cursorOf(readList(request.query)));
      return showList({ url: "/api/profile/sessions", data: rows.map((row) => showSession(row, session_id)), ...page });
    },
  );
}

function endRoute(app: App): void {
  app.delete(
    "/sessions/:id",
    {
      config: { scope: "person", confirmed: false, errors: ["resource_missing"] },
      schema: {
        operationId: "endSession",
        tags,
        summary: "End a session",
        description: "It stops working immediately.",
        params: pathOf("id"),
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { id } = request.params;
      await endSessions(request.ctx, { person_id: visitorOf(request).id, only: id });
      return { id, object: "session", deleted: true as const };
    },
  );
}

function endOthersRoute(app: App): void {
  app.post(
    "/sessions/end-others",
    {
      config: { scope: "person", confirmed: false },
      schema: { operationId: "endOtherSessions", tags, summary: "End all other sessions", response: { 200: refTo<DoneShape>("Done") } },
    },
    async (request) => {
      const { id, session_id } = visitorOf(request);
      await endSessions(request.ctx, { person_id: id, keep: session_id });
      return { object: "done" as const };
    },
  );
}

function passkeysRoute(app: App): void {
  app.get(
    "/passkeys",
    {
      config: { scope: "person", errors: pageErrors },
      schema: {
        operationId: "listPasskeys",
        tags,
        summary: "List passkeys",
        querystring: listQuery({ created: false }),
        response: { 200: listOf<PasskeyShape>("Passkey", "a passkey's ID") },
      },
    },
    async (request) => {
      const { rows, ...page } = cutPage(await listPasskeys(request.ctx.db, visitorOf(request).id), cursorOf(readList(request.query)));
      return showList({ url: "/api/profile/passkeys", data: rows.map(showPasskey), ...page });
    },
  );
}

function removePasskeyRoute(app: App): void {
  app.delete(
    "/passkeys/:id",
    {
      config: { scope: "person", confirmed: true, errors: ["resource_missing"] },
      schema: {
        operationId: "removePasskey",
        tags,
        summary: "Remove a passkey",
        params: pathOf("id"),
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { id } = await removePasskey(request.ctx, { person_id: visitorOf(request).id, id: request.params.id, address: request.ip });
      return { id, object: "passkey", deleted: true as const };
    },
  );
}

async function me(request: FastifyRequest): Promise<MeShape> {
  const { id } = visitorOf(request);
  const person = await findPerson(request.ctx.db, { id });
  if (person === null) throw platformErrors.resource_missing();
  return showMe(person, { principal: request.principal, memberships: await listMerchantsOfPerson(request.ctx.db, id) });
}
