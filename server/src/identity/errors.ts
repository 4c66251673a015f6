import { defineErrors } from "#platform/index.ts";

export const identityErrors = defineErrors({
  authentication_required: [401, "Send an API key in the Authorization header (Bearer) or in X-API-Key."],
  api_key_invalid: [401, "This API key is not valid."],
  api_key_expired: [401, "This API key has expired."],
  api_key_revoked: [401, "This API key was revoked."],
  session_required: [403, "This is for people signed in to the dashboard. An API key is not accepted."],
  fresh_session_required: [403, "Confirm that it is you first: this asks for a sign-in or confirmation within the last ten minutes."],
  ip_not_allowed: [403, "This API key may not be used from this address."],
  merchant_not_verified: [403, "The merchant account is not verified yet, so it cannot take LIVE money or send LIVE messages."],
});
