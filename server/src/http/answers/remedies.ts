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
import type { httpErrors } from "../errors.ts";

/** Every code that a room's table holds. */
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
  typeof httpErrors.$table);

/**
 * What a caller does about each error, for docs/errors.md and the page that `doc_url` leads to. A new error needs a line here: the compiler names the
 * code that is missing.
 */
export const remedies: Record<ErrorCode, string> = {
  // The request
  parameter_missing: "Add the parameter that `param` names. `details` lists every fault of the request.",
  parameter_invalid: "Correct the value of `param` as the message says. `details` lists every fault of the request.",
  parameter_unknown: "Remove or rename `param`. The message suggests the name that was probably meant; keys of your own belong in `metadata`.",
  parameter_conflict: "Send only one of the two parameters, or make them agree.",
  invalid_json: "Fix the body at the line and column that the message names. Build it with a JSON library instead of by hand.",
  invalid_cursor: "Start again without `starting_after` and `ending_before`, and use the `next_cursor` of the answer, with the same key.",
  unsupported_currency: "Use an ISO 4217 code that the payment method takes; the list of gateways names each one's currencies.",
  amount_out_of_range: "Send a whole number of minor units within the bounds: 8800 is 88.00.",
  idempotency_key_invalid: "Use 1 to 255 visible ASCII characters without spaces, such as a UUID.",
  card_number_refused: "Remove the card number. If this is no card number, write it with letters, or under another name.",
  url_not_allowed: "Use a public https address on port 443 or 8443. On your own installation the operator can open a range with `EGRESS_ALLOW`.",
  limit_reached: "Delete what you no longer need. The message names the limit.",
  domain_not_verified: "Publish the domain's DNS records, then call `POST /v1/domains/{id}/verify`; or send from the platform's own domain.",
  recipient_invalid: "Correct or remove the recipient that `param` names. At most 50 recipients fit in one message.",
  attachment_invalid: "Send the content as base64, with a plain file name, at most 25 MB in all.",
  header_not_allowed: "Leave out this header: it is set for you, or has a field of its own.",
  recipient_opted_out: "Do not contact this number. If it is suppressed by mistake, delete it from `GET /v1/suppressions`.",
  sender_not_allowed: "Use a number or a name that an operator has approved for this project.",
  country_not_allowed:
    "Look at `reason`: add the country to the project's messaging limits, ask the operator to allow it or give it a price, or release the paused range.",
  batch_too_large: "Split the batch into parts of 1 to 100 messages.",
  // Credentials
  authentication_required: "Send `Authorization: Bearer <API key>`, or the key in `X-API-Key`.",
  api_key_invalid: "Copy the whole key again. Keys begin with `svc_test_` or `svc_live_`; a lost one is replaced in the dashboard under API keys.",
  api_key_expired: "Create or rotate the key in the dashboard under API keys, and deploy the new one.",
  api_key_revoked: "Deploy the key that replaced this one. If none did, create one in the dashboard.",
  permission_denied: "Use a key or a person with the permission that `required_scope` names.",
  session_required: "Do this in the dashboard. API keys cannot.",
  fresh_session_required: "Enter your password again (`POST /api/auth/confirm`), then repeat the request.",
  project_mismatch: "Put the key's own project into the path; `GET /api/v1/projects` shows it. Another project needs a key of its own.",
  environment_mismatch: "Use a `svc_test_` key, or switch the dashboard to TEST.",
  merchant_not_verified: "Ask the operator of this installation to verify the merchant. Until then everything works in TEST.",
  ip_not_allowed: "Call from one of the key's `allowed_ips`, or change that list in the dashboard.",
  origin_not_allowed: "Call the API with a key. Session cookies only work on this server's own pages.",
  host_not_allowed: "Ask by the server's own address. Its operator names that in `PUBLIC_URL`, and further host names in `ALLOWED_HOSTS`.",
  sending_suspended: "Ask the operator of this installation why. TEST keeps working.",
  // Addresses
  secret_roll_conflict: "Promote the open roll first (`promote-secret`), or wait for it to end; without one, roll the secret. The message says which.",
  endpoint_disabled: "Enable the endpoint (`PATCH` with `status: enabled`), then repeat the request.",
  resource_missing: "Check the id, and that the key belongs to the same project and environment as the object.",
  route_missing: "Check the path; the message suggests the nearest one. All routes are in `/reference`.",
  method_not_allowed: "Use one of the methods in the `Allow` header.",
  gateway_not_found: "Use a gateway's `slug` from the list of gateways. Personal receiving codes have collection profiles in place of accounts.",
  payment_link_not_found: "Check that the whole link was copied. A new one comes from `POST …/orders/{id}/payment-link`.",
  payment_link_expired: "Issue a new link with `expires_in`; the order can then be paid again.",
  payment_link_revoked: "Send the buyer the order's current `payment_link.url`.",
  endpoint_removed: "Create the endpoint again.",
  // Bodies
  body_too_large: "Send less: JSON up to 256 KB, e-mail and batches up to 35 MB.",
  file_too_large: "Send a smaller file: up to 5 MB, logos up to 512 KB.",
  unsupported_media_type: "Send `Content-Type: application/json`, or `multipart/form-data` where a file is uploaded.",
  image_unreadable: "Save the picture again as PNG, JPEG or WebP, and upload that.",
  too_many_pixels: "Save the picture in a smaller size, at most 25 megapixels, and upload that.",
  qr_not_decodable: "Take a sharper picture of the code alone, or send its text as `qr_payload`.",
  qr_channel_mismatch: "Upload the personal receiving code of this wallet, or set it up under the other channel.",
  qr_payment_code: "Show nobody that code. In the wallet choose Receive money, save the code shown there, and upload it.",
  qr_fixed_amount: "Save the code again without an amount, or repeat the request with `confirm_fixed_amount: true`.",
  qr_order_bound: "In the wallet choose Receive money, save that code without an amount, and upload it.",
  // States
  version_conflict: "Read the object again, apply your change to it, and send the new `version` in `If-Match`.",
  order_already_paid: "Nothing is left to do: treat the order as paid. Read it to see when and how.",
  order_state_conflict: "Read the order: its `status` says what is possible. A new order or payment link may be what you need.",
  reference_exists: "Use the order in `existing_order_id`, or another `reference`.",
  collection_profile_missing: "Set up and enable the receiving code of this channel, or offer another channel.",
  review_exists: "Read the order. Someone else decided first, or this transfer number belongs to another order.",
  shortfall_unconfirmed:
    "Compare `received_minor` with `expected_minor`. To accept the smaller sum as the whole, repeat with `confirm_shortfall_minor` equal to `shortfall_minor`.",
  refund_exceeds_received: "Refund at most `refundable_minor`. Read the order's refunds to see what went back already.",
  gateway_not_configured: "Enter an account of this gateway in the dashboard, or enable one, then repeat.",
  gateway_error:
    "Read `gateway_code`, the provider's own code. Offer another way to pay, or check the account with the provider. A refund that was refused is `refund_id`, and failed.",
  gateway_timeout: "Send the same request again: it finds the payment, and the buyer never pays twice. The provider is asked meanwhile.",
  session_active: "Wait until the open payment has been decided, or decide it.",
  no_free_amount: "Repeat in a few minutes, offer another channel, or raise `matching.max_offset_minor`.",
  asset_in_use: "Put another picture in its place first, then delete this one.",
  verification_state_conflict: "Read the verification: its `status` says how it ended. Begin another one where a code is still wanted.",
  verification_limit: "Wait as long as `Retry-After` says. A code that was sent already can still be checked until the verification expires.",
  call_state_conflict: "Read the call: its `status` says how it ended.",
  number_taken: "Take the number back from the project that has it, which the list of numbers names, then approve it here.",
  no_route: "Try it in TEST. In LIVE an operator has to set up what carries messages and calls to this country.",
  sms_state_conflict: "Read the SMS: its `status` says whether it can still be canceled, and whether its text is still needed.",
  email_state_conflict: "Read the e-mail: its `status` says whether it can still be changed or canceled.",
  // Repeating
  idempotency_key_in_use: "Wait the seconds of `Retry-After`, then repeat the same request with the same key.",
  idempotency_key_reused: "Use a new `Idempotency-Key` for a new request. Repeat an old one only with the same body.",
  // Limits
  rate_limited: "Wait the seconds of `Retry-After`, then repeat. Spread requests by `X-RateLimit-Remaining`.",
  concurrency_limited: "Keep fewer requests open at once, and repeat after `Retry-After` seconds.",
  quota_exceeded: "Wait as long as `Retry-After` says, or ask the operator for a higher tier or cap.",
  // Faults of ours
  internal_error: "Repeat with the same `Idempotency-Key`. If it persists, give the operator the `request_id`.",
  service_unavailable: "Repeat with the same `Idempotency-Key` after `Retry-After` seconds.",
};
