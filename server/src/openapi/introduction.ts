/** General information before the routes. */
export const introduction = `Collect payments for orders with payment links, a hosted payment page, personal receiving codes, and a ledger with wallets. Under \`/v1\`: send email and SMS, one at a time or in batches, and track each message.

**Keys.** Send a key as \`Authorization: Bearer …\` or as \`X-API-Key\`. A \`svc_test_\` key only reaches its project's TEST environment, and a \`svc_live_\` key only its LIVE environment.

**Amounts** are whole numbers in the currency's minor unit. **Times** are ISO 8601 in UTC.

**Idempotency.** Send a POST with an \`Idempotency-Key\`, and you can repeat it as often as you like within 72 hours: it takes effect once. When you get the first response again, it has \`Idempotent-Replayed: true\`.

**Lists** are sorted newest first. Pass \`next_cursor\` as \`starting_after\` to get the next page.

**Rate limits.** Every response reports the limit for its key and endpoint in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; the \`Retry-After\` of a 429 says how long to wait.

**Errors** all have the same shape. Base your code on \`error.code\`, and include \`error.request_id\` when you ask for help.`;

/** The chapters of the document, in reading order. */
export const chapters: Record<string, string> = {
  Orders: "Amounts that buyers pay, and everything you can do with them.",
  "Payment links": "The address where a buyer pays, and what anyone who has it can do there without a key.",
  Exceptions: "Money that doesn't match an open order and needs a decision.",
  Refunds: "Money that is paid back to buyers.",
  "Collection profiles": "The personal receiving codes that buyers pay to.",
  Gateways: "The payment methods, and how each is set up.",
  Receipts: "Money that arrived on a personal code, as reported by a listener, a statement or a person.",
  Assets: "Images: receiving codes, proofs of payment and logos.",
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
  "API keys": "What your servers authenticate with. Only signed-in people can create them.",
  "Signing in": "How people sign in. For this server's own pages, with a cookie.",
  Profile: "The signed-in person.",
  Team: "The people who belong to the merchant.",
  Operators: "For the people who run this installation, across all merchants.",
  Merchant: "The account that owns projects.",
  Webhooks: "Your addresses that receive events, and what was sent to them.",
  Events: "What happened: list events, follow them live, and read them again.",
};

/** The chapters of the second document. */
export const internalChapters: Record<string, string> = {
  ...chapters,
  "Deprecated paths":
    "Aliases of nested paths for the key's own project. They return the same responses and stop working on the `Sunset` date.",
};

/** How requests are signed. */
export const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API key>`." },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key in a separate header." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-tillpost.session_token",
    description: "The cookie of a signed-in person, for this server's own pages.",
  },
};
