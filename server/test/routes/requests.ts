import { multipart } from "../api.ts";
import { wechatCode } from "../pay-shop.ts";
import { photo } from "../pictures.ts";
import type { Ids } from "./world.ts";

/** What a valid request to a route holds, made of one tenant's ids. */
export interface RouteRequest {
  /** What `:id` stands for. */
  id?: keyof Ids;
  /** What this list's cursor names. */
  cursor?: keyof Ids;
  body?(ids: Ids): unknown;
  payload?(): { payload: Buffer; type: string };
}

const picture = await photo(48, 48);
const letter = { from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", html: "<p>Hello</p>" };
const statement = Buffer.from("\n");

/** One line a route; a route without one fails the tests that are made of this table. Deprecated flat paths are their nested route's. */
export const requests: Record<string, RouteRequest> = {
  "GET /api/v1/merchant": {},
  "GET /api/v1/projects": { cursor: "projectId" },
  "PATCH /api/v1/merchant": { body: () => ({ display_name: "Corner Books & Tea" }) },
  "GET /api/v1/merchant/audit-log": { cursor: "audit" },
  "GET /api/v1/merchant/members": {},
  "PATCH /api/v1/merchant/members/:id": { id: "member", body: () => ({ role: "reviewer" }) },
  "DELETE /api/v1/merchant/members/:id": { id: "member" },
  "GET /api/v1/merchant/invitations": {},
  "POST /api/v1/merchant/invitations": { body: () => ({ email: "somebody@example.com", role: "viewer" }) },
  "DELETE /api/v1/merchant/invitations/:id": { id: "invitation" },
  "POST /api/v1/projects": { body: () => ({ name: "Second shop", default_currency: "CNY" }) },
  "POST /api/v1/projects/active": { body: (ids) => ({ project_id: ids.projectId }) },
  "POST /api/v1/projects/active-environment": { body: () => ({ environment: "LIVE" }) },
  "GET /api/v1/projects/:projectId": {},
  "PATCH /api/v1/projects/:projectId": { body: () => ({ name: "Renamed" }) },
  "GET /api/v1/projects/:projectId/api-keys": { cursor: "apiKey" },
  "POST /api/v1/projects/:projectId/api-keys": { body: () => ({ name: "shop", permissions: ["orders:read"] }) },
  "PATCH /api/v1/projects/:projectId/api-keys/:id": { id: "apiKey", body: () => ({ name: "renamed" }) },
  "DELETE /api/v1/projects/:projectId/api-keys/:id": { id: "apiKey" },
  "POST /api/v1/projects/:projectId/api-keys/:id/rotate": { id: "apiKey", body: () => ({}) },
  "GET /api/v1/projects/:projectId/orders": { cursor: "order" },
  "POST /api/v1/projects/:projectId/orders": { body: () => ({ amount_minor: 9900, currency: "CNY" }) },
  "GET /api/v1/projects/:projectId/orders/:id": { id: "order" },
  "GET /api/v1/projects/:projectId/orders/:id/events": { id: "order", cursor: "event" },
  "GET /api/v1/projects/:projectId/orders/:id/payments": { id: "order", cursor: "session" },
  "GET /api/v1/projects/:projectId/orders/:id/vouchers": { id: "order", cursor: "voucher" },
  "POST /api/v1/projects/:projectId/orders/:id/payments": { id: "order", body: () => ({ gateway: "wechatpay" }) },
  "POST /api/v1/projects/:projectId/orders/:id/voucher": { id: "order", body: (ids) => ({ gateway: "wechatpay", asset_id: ids.asset }) },
  "POST /api/v1/projects/:projectId/orders/:id/payment-link": { id: "order", body: () => ({ expires_in: 600 }) },
  "DELETE /api/v1/projects/:projectId/orders/:id/payment-link": { id: "order" },
  "POST /api/v1/projects/:projectId/orders/:id/verification": { id: "order", body: () => ({ decision: "approve" }) },
  "POST /api/v1/projects/:projectId/orders/:id/simulate-payment": { id: "order", body: () => ({ outcome: "paid" }) },
  "POST /api/v1/projects/:projectId/orders/:id/cancel": { id: "order", body: () => ({}) },
  "GET /api/v1/projects/:projectId/figures": {},
  "GET /api/v1/projects/:projectId/exceptions": { cursor: "exception" },
  "POST /api/v1/projects/:projectId/exceptions/:id/resolve": { id: "exception", body: (ids) => ({ action: "accept", order_id: ids.order }) },
  "GET /api/v1/projects/:projectId/receipts": { cursor: "receipt" },
  "POST /api/v1/projects/:projectId/receipts": { body: () => ({ channel: "wechat", amount_minor: 1, occurred_at: "2026-11-20T08:00:00Z" }) },
  "POST /api/v1/projects/:projectId/receipts/import": { payload: () => multipart(statement) },
  "POST /api/v1/projects/:projectId/assets/upload": { payload: () => multipart(picture, { purpose: "payment_proof" }) },
  "DELETE /api/v1/assets/:id": { id: "asset" },
  "GET /api/v1/projects/:projectId/collection-profiles": { cursor: "profile" },
  "GET /api/v1/projects/:projectId/collection-profiles/:channel": {},
  "PUT /api/v1/projects/:projectId/collection-profiles/:channel": {
    body: (ids) => ({ qr_asset_id: ids.asset, qr_payload: wechatCode, allow_image_only: true }),
  },
  "GET /api/v1/projects/:projectId/webhooks": { cursor: "webhook" },
  "POST /api/v1/projects/:projectId/webhooks": { body: () => ({ url: "https://receiver.example.com/", events: ["order.paid"] }) },
  "GET /api/v1/projects/:projectId/webhooks/:id": { id: "webhook" },
  "PATCH /api/v1/projects/:projectId/webhooks/:id": { id: "webhook", body: () => ({ description: "mine" }) },
  "DELETE /api/v1/projects/:projectId/webhooks/:id": { id: "webhook" },
  "POST /api/v1/projects/:projectId/webhooks/:id/test": { id: "webhook", body: () => ({}) },
  "POST /api/v1/projects/:projectId/webhooks/:id/roll-secret": { id: "webhook", body: () => ({}) },
  "POST /api/v1/projects/:projectId/webhooks/:id/promote-secret": { id: "webhook", body: () => ({}) },
  "POST /api/v1/projects/:projectId/webhooks/:id/replay": { id: "webhook", body: () => ({ since: "2026-11-20T00:00:00Z" }) },
  "GET /api/v1/projects/:projectId/webhooks/:id/attempts": { id: "webhook", cursor: "attemptId" },
  "GET /api/v1/projects/:projectId/webhooks/:id/attempts/:attemptId": { id: "webhook" },
  "POST /api/v1/projects/:projectId/webhooks/:id/attempts/:attemptId/retry": { id: "webhook", body: () => ({}) },
  "GET /api/v1/projects/:projectId/events": { cursor: "event" },
  "GET /api/v1/projects/:projectId/events/:id": { id: "event" },
  "GET /api/v1/projects/:projectId/events/stream": {},
  "GET /api/v1/transactions": { cursor: "transaction" },
  "GET /api/v1/wallets": { cursor: "wallet" },
  "GET /v1/emails": { cursor: "email" },
  "POST /v1/emails": { body: () => letter },
  "GET /v1/emails/:id": { id: "email" },
  "PATCH /v1/emails/:id": { id: "email", body: () => ({ scheduled_at: "2026-12-02T00:00:00Z" }) },
  "POST /v1/emails/:id/cancel": { id: "email", body: () => ({}) },
  "GET /v1/emails/:id/events": { id: "email", cursor: "emailEvent" },
  "GET /v1/emails/:id/source": { id: "email" },
  "POST /v1/emails/batch": { body: () => ({ emails: [letter] }) },
  "GET /v1/batches/:id": { id: "batch" },
  "POST /v1/test/inbound": { body: (ids) => ({ type: "reply", email_id: ids.email }) },
  "GET /v1/domains": { cursor: "domain" },
  "POST /v1/domains": { body: () => ({ name: "mail.corner-books.com" }) },
  "GET /v1/domains/:id": { id: "domain" },
  "POST /v1/domains/:id/verify": { id: "domain", body: () => ({}) },
  "DELETE /v1/domains/:id": { id: "domain" },
  "GET /v1/suppressions": { cursor: "suppression" },
  "POST /v1/suppressions": { body: () => ({ address: "bob@example.com" }) },
  "GET /v1/suppressions/:id": { id: "suppression" },
  "DELETE /v1/suppressions/:id": { id: "suppression" },
  "GET /api/public/pay/:token": {},
  "GET /api/public/pay/:token/events": {},
  "POST /api/public/pay/:token/initiate": { body: () => ({ gateway: "wechatpay" }) },
  "POST /api/public/pay/:token/report": { body: () => ({ gateway: "wechatpay" }) },
  "POST /api/public/pay/:token/simulate": { body: () => ({}) },
  "POST /api/public/pay/:token/voucher": { body: () => ({ gateway: "wechatpay", transaction_reference: "4821" }) },
  "GET /pay/:token": {},
  "GET /pay/:token/receipt": {},
  "GET /pay/:token/qr.svg": {},
  "GET /pay/:token/qr.png": {},
  "GET /assets/:id": { id: "asset" },
  "GET /u/*": {},
  "POST /u/*": {},
  "GET /c/*": {},
  "GET /o/*": {},
};
