import { defineErrors } from "#platform/index.ts";

export const identityErrors = defineErrors({
  authentication_required: [401, "Send an API key in the Authorization header (Bearer) or in X-API-Key."],
  api_key_invalid: [401, "This API key isn't valid."],
  api_key_expired: [401, "This API key has expired."],
  api_key_revoked: [401, "This API key was revoked."],
  session_required: [403, "Only people signed in to the dashboard can do this. API keys aren't accepted."],
  fresh_session_required: [403, "Confirm it's you first: this requires a sign-in or confirmation within the last ten minutes."],
  ip_not_allowed: [403, "This API key can't be used from this IP address."],
  merchant_not_verified: [403, "The merchant account isn't verified yet, so it can't accept LIVE payments or send LIVE messages."],
});
