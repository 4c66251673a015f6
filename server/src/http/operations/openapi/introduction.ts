/** General information before the routes. */
export const introduction = `Collect payments for orders: payment links, a hosted page, personal receiving codes, a ledger and its wallets. Under \`/v1\`: send e-mail and SMS, singly or in batches, and see what became of it.

**Keys.** Send one as \`Authorization: Bearer …\` or as \`X-API-Key\`. A \`svc_test_\` key sees the TEST environment of its project, a \`svc_live_\` key the LIVE one; nothing crosses over.

**Amounts** are whole numbers of the currency's minor unit. **Times** are ISO 8601 in UTC.

**Repeating.** Give a POST an \`Idempotency-Key\` and send it again as often as you like within 72 hours: it takes effect once, and the answer says \`Idempotent-Replayed: true\` when it is the first one again.

**Lists** come newest first. Pass \`next_cursor\` as \`starting_after\` to read on.

**Limits.** Every answer shows the window of its key and endpoint in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a 429 says in \`Retry-After\` how long to wait.

**Errors** have one shape. Decide by \`error.code\`; name \`error.request_id\` when you ask for help.`;

/** The chapters of the document, in reading order. */
export const chapters: Record<string, string> = {
  Orders: "What is to be paid, and what can be done to it.",
  "Payment links": "The address that a buyer pays at, and what whoever holds it may do there without a key.",
  Exceptions: "Money that settled no order by itself.",
  Refunds: "Money that went back to buyers, as somebody recorded it.",
  "Collection profiles": "The personal receiving codes that buyers pay to.",
  Gateways: "The ways to pay, and how each is set up.",
  Receipts: "Money seen on a personal code: from a listener, a statement or a person.",
  Assets: "Pictures: of codes, of proofs, of logos.",
  "Transactions and wallets": "The ledger.",
  Email: "Send one email or a hundred, and follow each recipient's copy.",
  SMS: "Send SMS, read replies, and follow each part.",
  Calls: "Voice calls: speak, play audio, collect keys and record.",
  Verifications: "Verify phone numbers and email addresses: send a code, then check it.",
  Domains: "The domains you send email from, and their DNS records.",
  Numbers: "The numbers and sender names that messages and calls come from.",
  "Messaging limits": "Countries, spending caps, quiet hours and paused ranges for a project's LIVE SMS and calls.",
  Suppressions: "Addresses and numbers that nothing more is sent to.",
  Projects: "The business unit that a key belongs to.",
  "API keys": "What programs sign their requests with. Only signed-in people make them.",
  "Signing in": "How people come in: for pages of this server, with a cookie.",
  Profile: "The signed-in person.",
  Team: "Who belongs to the merchant.",
  Operators: "Across all merchants, for those who run this installation.",
  Merchant: "The account that projects belong to.",
  Webhooks: "Addresses of yours that are told of events, and what was sent to them.",
  Events: "What happened, to list, to follow, and to read again.",
};

/** The chapters of the second document. */
export const internalChapters: Record<string, string> = {
  ...chapters,
  "Deprecated paths": "Aliases of nested paths for the key's own project. They answer alike and end on the date of `Sunset`.",
};

/** How requests are signed. */
export const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API key>`." },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key in a header of its own." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-tillpost.session_token",
    description: "The cookie of a signed-in person, for pages of this server.",
  },
};
