import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import {
  changeMember,
  inviteMember,
  listInvitations,
  listKeysOfMember,
  listTeam,
  type Role,
  removeMember,
  revokeInvitation,
} from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";
import {
  type App,
  cursorOf,
  everyRole,
  leading,
  listOf,
  listQuery,
  many,
  pageErrors,
  readIfMatch,
  readList,
  showList,
  showUnpaged,
  visitorOf,
} from "#requests/index.ts";
import {
  type ApiKeyShape,
  type InvitationShape,
  invitationIn,
  type MemberShape,
  memberChangeIn,
  pathOf,
  type RemovalShape,
  refTo,
  showInvitation,
  showKey,
  showMember,
  showRemoval,
  strict,
} from "#schemas/index.ts";

const tags = ["Team"];
const params = pathOf("id");
const listing = { scope: "session", roles: everyRole, errors: pageErrors } as const;
const write = { scope: "session", roles: leading, confirmed: true, ofMerchant: true } as const;
const deleted = { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") };

/** Members of the merchant, and open invitations. */
export const teamRoutes: FastifyPluginAsyncTypebox = async (app) => {
  membersRoute(app);
  changeMemberRoute(app);
  removeMemberRoute(app);
  memberKeysRoute(app);
  invitationsRoute(app);
  inviteRoute(app);
  revokeRoute(app);
};

function actionBy(request: FastifyRequest<{ Params: { id: string } }>): {
  merchant_id: string;
  member_id: string;
  by_role: Role;
  if_version: number | null;
} {
  const { role } = visitorOf(request);
  if (role === null) throw platformErrors.permission_denied();
  return { merchant_id: request.principal.merchant_id, member_id: request.params.id, by_role: role, if_version: readIfMatch(request) };
}

function membersRoute(app: App): void {
  app.get(
    "/merchant/members",
    {
      config: listing,
      schema: {
        operationId: "listMembers",
        tags,
        summary: "List members",
        querystring: listQuery({ created: false }),
        response: { 200: listOf<MemberShape>("Member", "a member's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listTeam(request.ctx, { ...cursorOf(query), merchant_id: request.principal.merchant_id });
      return showList({ url: "/api/v1/merchant/members", data: rows.map(showMember), ...page });
    },
  );
}

function changeMemberRoute(app: App): void {
  app.patch(
    "/merchant/members/:id",
    {
      config: { ...write, errors: ["resource_missing", "version_conflict", "parameter_conflict"] },
      schema: {
        operationId: "updateMember",
        tags,
        summary: "Update a member's role",
        description: "Only owners can add, change or remove owners, and at least one owner must remain.",
        params,
        body: memberChangeIn,
        response: { 200: refTo<MemberShape>("Member") },
      },
    },
    async (request) => showMember(await changeMember(request.ctx, { ...actionBy(request), role: request.body.role })),
  );
}

function removeMemberRoute(app: App): void {
  app.delete(
    "/merchant/members/:id",
    {
      config: { ...write, errors: ["resource_missing", "version_conflict", "parameter_conflict"] },
      schema: {
        operationId: "removeMember",
        tags,
        summary: "Remove a member",
        description:
          "API keys the member created keep working, except those in `revoke_api_keys`. The response lists the keys that still work.",
        params,
        querystring: strict({ revoke_api_keys: many("Keys the member created, to revoke in the same step. Can be repeated.") }),
        response: { 200: refTo<RemovalShape>("MemberRemoval") },
      },
    },
    async (request) => {
      const { revoke_api_keys = [] } = request.query;
      const removal = await removeMember(request.ctx, { ...actionBy(request), revoke_api_keys });
      for (const id of removal.revoked_api_keys) app.keys.evict(id);
      return showRemoval(removal);
    },
  );
}

function memberKeysRoute(app: App): void {
  app.get(
    "/merchant/members/:id/api-keys",
    {
      config: { scope: "session", roles: leading, errors: ["resource_missing"] },
      schema: {
        operationId: "listMemberApiKeys",
        tags,
        summary: "List the API keys a member created",
        description: "Active keys in all projects and both environments. Anyone who created or rotated a key knows its secret.",
        params,
        querystring: listQuery({ page: "whole", created: false }),
        response: { 200: listOf<ApiKeyShape>("ApiKey", "always null, because all keys are on one page") },
      },
    },
    async (request) => {
      const { id } = request.params;
      const keys = await listKeysOfMember(request.ctx, { merchant_id: request.principal.merchant_id, member_id: id });
      return showUnpaged({ url: `/api/v1/merchant/members/${id}/api-keys`, data: keys.map((key) => showKey(key)) }, request.query);
    },
  );
}

function invitationsRoute(app: App): void {
  app.get(
    "/merchant/invitations",
    {
      config: listing,
      schema: {
        operationId: "listInvitations",
        tags,
        summary: "List open invitations",
        querystring: listQuery({ created: false }),
        response: { 200: listOf<InvitationShape>("Invitation", "an invitation's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listInvitations(request.ctx, { ...cursorOf(query), merchant_id: request.principal.merchant_id });
      return showList({ url: "/api/v1/merchant/invitations", data: rows.map(showInvitation), ...page });
    },
  );
}

function inviteRoute(app: App): void {
  app.post(
    "/merchant/invitations",
    {
      config: { ...write, errors: ["limit_reached", "parameter_conflict"] },
      schema: {
        operationId: "inviteMember",
        tags,
        summary: "Invite a member",
        description: "They get an email with a link that works for seven days. A new invitation to the same address replaces the old one.",
        body: invitationIn,
        response: { 201: refTo<InvitationShape>("Invitation") },
      },
    },
    async (request, reply) => {
      const { id, name, language, role } = visitorOf(request);
      if (role === null) throw platformErrors.permission_denied();
      const by = { person_id: id, name, role };
      const input = { language, ...request.body, merchant_id: request.principal.merchant_id, by };
      return reply.code(201).send(showInvitation(await inviteMember(request.ctx, input)));
    },
  );
}

function revokeRoute(app: App): void {
  app.delete(
    "/merchant/invitations/:id",
    {
      config: { ...write, errors: ["resource_missing"] },
      schema: { operationId: "revokeInvitation", tags, summary: "Revoke an invitation", params, response: deleted },
    },
    async (request) => {
      const { merchant_id, by_role } = actionBy(request);
      const { id } = await revokeInvitation(request.ctx, { merchant_id, by_role, id: request.params.id });
      return { id, object: "invitation", deleted: true as const };
    },
  );
}
