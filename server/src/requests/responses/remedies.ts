import type { assetErrors } from "#assets/index.ts";
import type { callErrors } from "#calls/index.ts";
import type { checkoutErrors } from "#checkout/index.ts";
import type { collectionErrors } from "#collection/index.ts";
import type { emailErrors } from "#email/index.ts";
import type { gatewayErrors } from "#gateways/index.ts";
import type { identityErrors } from "#identity/index.ts";
import type { messagingErrors } from "#messaging/index.ts";
import type { numberErrors } from "#numbers/index.ts";
import type { orderErrors } from "#orders/index.ts";
import type { platformErrors } from "#platform/index.ts";
import type { smsErrors } from "#sms/index.ts";
import type { verificationErrors } from "#verifications/index.ts";
import type { webhookErrors } from "#webhooks/index.ts";
import type { requestErrors } from "../errors.ts";

/** Every code in a room's table. */
export type ErrorCode = keyof (typeof platformErrors.$table &
  typeof identityErrors.$table &
  typeof assetErrors.$table &
  typeof collectionErrors.$table &
  typeof gatewayErrors.$table &
  typeof orderErrors.$table &
  typeof checkoutErrors.$table &
  typeof webhookErrors.$table &
  typeof messagingErrors.$table &
  typeof numberErrors.$table &
  typeof emailErrors.$table &
  typeof smsErrors.$table &
  typeof callErrors.$table &
  typeof verificationErrors.$table &
  typeof requestErrors.$table);

/**
 * The remedy for each error, for docs/errors.md and the page of `doc_url`. A new error needs a line here: the compiler names the missing
 * code.
 */
export const remedies: Record<ErrorCode, string> = {
  // The request
  parameter_missing: "Add the parameter that `param` names. `details` lists every fault of the request.",
  parameter_invalid: "Correct the value of `param` as the message says. `details` lists every fault of the request.",
  parameter_unknown: "Remove or rename `param`. The message suggests the name you probably meant; put your own keys in `metadata`.",
  parameter_conflict: "Send only one of the two parameters, or make them agree.",
  invalid_json: "Fix the body at the line and column that the message names. Build it with a JSON library instead of by hand.",
  invalid_cursor:
    "Start again without `starting_after` and `ending_before`, then use the `next_cursor` from the response, with the same key.",
  unsupported_currency: "Use an ISO 4217 code that the payment method accepts; the list of gateways shows the currencies of each.",
  amount_out_of_range: "Send a whole number of minor units within the bounds: 8800 is 88.00.",
  idempotency_key_invalid: "Use 1 to 255 visible ASCII characters without spaces, such as a UUID.",
  card_number_refused: "Remove the card number. If it isn't one, add letters to it, or send it under another name.",
  url_not_allowed:
    "Use a public https address on port 443 or 8443. On your own server, the operator can allow a range with `EGRESS_ALLOW`.",
  limit_reached: "Delete what you no longer need. The message names the limit.",
  domain_not_verified: "Add the domain's DNS records, then call `POST /v1/domains/{id}/verify`; or send from the platform's own domain.",
  recipient_invalid: "Correct or remove the recipient that `param` names. At most 50 recipients fit in one message.",
  attachment_invalid: "Send the content as base64, with a plain file name, at most 25 MB in total.",
  header_not_allowed: "Remove this header: it's set for you, or has its own field.",
  recipient_opted_out: "Don't contact this number. If it was suppressed by mistake, find it in `GET /v1/suppressions` and delete it.",
  sender_not_allowed: "Use a number or name that an operator has approved for this project.",
  country_not_allowed:
    "Check `reason`: add the country to the project's messaging limits, ask the operator to allow it or set a price for it, or release the paused range.",
  batch_too_large: "Split the batch into parts of 1 to 100 messages.",
  // Credentials
  authentication_required: "Send `Authorization: Bearer <API key>`, or the key in `X-API-Key`.",
  api_key_invalid:
    "Copy the whole key again. Keys start with `svc_test_` or `svc_live_`; replace a lost key in the dashboard under API keys.",
  api_key_expired: "Create or rotate the key in the dashboard under API keys, and deploy the new one.",
  api_key_revoked: "Deploy the key that replaced this one. If none did, create one in the dashboard.",
  permission_denied: "Use a key with the permission in `required_scope`, or ask someone whose role has it.",
  session_required: "Do this in the dashboard; API keys can't.",
  fresh_session_required: "Enter your password again (`POST /api/auth/confirm`), then repeat the request.",
  project_mismatch: "Use the key's own project in the path; `GET /api/v1/projects` shows it. Every project needs its own key.",
  environment_mismatch: "Use a `svc_test_` key, or switch the dashboard to TEST.",
  merchant_not_verified: "Ask the operator of this server to verify the merchant. Until then, everything works in TEST.",
  ip_not_allowed: "Call from one of the key's `allowed_ips`, or change that list in the dashboard.",
  origin_not_allowed: "Call the API with a key. Session cookies only work on this server's own pages.",
  host_not_allowed: "Use the server's own address. The operator sets it in `PUBLIC_URL`, and further host names in `ALLOWED_HOSTS`.",
  sending_suspended: "Ask the operator of this server for the reason. TEST keeps working.",
  // Addresses
  secret_roll_conflict:
    "Promote the open roll first (`promote-secret`), or wait for it to end; if there is none, roll the secret. If an earlier secret still signs, wait until it no longer does, or promote with `expire_old_now`. The message says which.",
  endpoint_disabled: "Enable the endpoint (`PATCH` with `status: enabled`), then repeat the request.",
  resource_missing: "Check the ID, and that the key belongs to the same project and environment as the object.",
  route_missing: "Check the path; the message suggests the closest one. All routes are listed in `/reference`.",
  method_not_allowed: "Use one of the methods in the `Allow` header.",
  gateway_not_found:
    "Use a gateway's `slug` from the list of gateways. Personal receiving codes have collection profiles instead of accounts.",
  payment_link_not_found: "Check that the whole link was copied. Create a new one with `POST …/orders/{id}/payment-link`.",
  payment_link_expired: "Create a new link with `expires_in`; the order can then be paid.",
  payment_link_revoked: "Send the buyer the order's current `payment_link.url`.",
  endpoint_removed: "Create the endpoint again.",
  // Bodies
  request_timeout: "Send the same request again. A request has one minute to arrive, and an upload 15 minutes.",
  body_too_large: "Send less: JSON up to 256 KB, emails and batches up to 35 MB.",
  file_too_large: "Send a smaller file: up to 5 MB, logos up to 512 KB.",
  unsupported_media_type: "Send `Content-Type: application/json`, or `multipart/form-data` to upload a file.",
  image_unreadable: "Save the image again as PNG, JPEG or WebP, and upload it.",
  too_many_pixels: "Resize the image to at most 25 megapixels, and upload it.",
  qr_not_decodable: "Take a sharper picture of just the code, or send its text as `qr_payload`.",
  qr_channel_mismatch: "Upload the personal receiving code of this wallet, or set it up under the other channel.",
  qr_payment_code: "Never show that code to anyone. In the wallet, open Receive money, save the code shown there, and upload it.",
  qr_fixed_amount: "Save the code again without an amount, or repeat the request with `confirm_fixed_amount: true`.",
  qr_order_bound: "In the wallet, open Receive money, save the code without an amount, and upload it.",
  // States
  version_conflict: "Read the object again, apply your change to it, and send the new `version` in `If-Match`.",
  order_already_paid: "There's nothing to do: treat the order as paid. Read it to see when and how.",
  order_state_conflict: "Read the order: its `status` shows what's possible. You may need a new order or payment link.",
  reference_exists: "Use the order in `existing_order_id`, or another `reference`.",
  collection_profile_missing: "Set up and enable the receiving code of this channel, or offer another channel.",
  review_exists: "Read the order. Someone else decided first, or this transfer number belongs to another order.",
  shortfall_unconfirmed:
    "Compare `received_minor` with `expected_minor`. To accept the smaller amount in full, repeat with `confirm_shortfall_minor` equal to `shortfall_minor`.",
  refund_exceeds_received: "Refund at most `refundable_minor`. Read the order's refunds to see what was already refunded.",
  gateway_not_configured: "Add an account for this gateway in the dashboard, or enable one, then repeat.",
  gateway_error:
    "Read `gateway_code`, the provider's own code. Offer another payment method, or check your account with the provider. For a declined refund, `refund_id` names the failed refund.",
  gateway_timeout:
    "Send the same request again: it finds the payment, and the buyer is never charged twice. Until then, Tillpost keeps checking with the provider.",
  session_active: "Wait until the open payment has been reviewed, or review it; for a gateway's payment, repeat the request later.",
  no_free_amount: "Repeat in a few minutes, offer another channel, or raise `matching.max_offset_minor`.",
  asset_in_use: "Replace it with another image first, then delete this one.",
  verification_state_conflict: "Read the verification: its `status` shows how it ended. Start a new one if you still need a code.",
  verification_limit:
    "Wait as long as `Retry-After` says. A code that was already sent can still be checked until the verification expires.",
  call_state_conflict: "Read the call: its `status` shows how it ended.",
  number_taken: "Revoke the number from the project that has it, which the list of numbers shows, then approve it here.",
  no_route: "Use TEST for now. In LIVE, the operator has to set up a carrier or trunk for this country.",
  sms_state_conflict: "Read the SMS: its `status` shows whether it can still be canceled, and whether its text is still needed.",
  email_state_conflict: "Read the email: its `status` shows whether it can still be changed or canceled.",
  // Repeating
  idempotency_key_in_use: "Wait the seconds in `Retry-After`, then repeat the same request with the same key.",
  idempotency_key_reused: "Use a new `Idempotency-Key` for a new request. Repeat an old one only with the same body.",
  // Limits
  rate_limited: "Wait the seconds in `Retry-After`, then repeat. Use `X-RateLimit-Remaining` to spread your requests.",
  concurrency_limited: "Send fewer requests at once, and repeat after `Retry-After` seconds.",
  quota_exceeded: "Wait as long as `Retry-After` says, or ask the operator for a higher tier or cap.",
  // Internal errors
  internal_error: "Repeat with the same `Idempotency-Key`. If it persists, give the operator the `request_id`.",
  service_unavailable: "Repeat with the same `Idempotency-Key` after `Retry-After` seconds.",
};
