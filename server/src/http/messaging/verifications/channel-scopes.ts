import type { FastifyRequest } from "fastify";
import { requireScope } from "#requests/index.ts";
import { type CodeChannel, codeChannels } from "#verifications/index.ts";

const families = { sms: "sms", call: "calls", email: "emails" } as const satisfies Record<CodeChannel, string>;

/**
 * A verification requires the permissions of its channels. The route accepts any of them, and checks the rest once the channels are known.
 */
export const writes = { scope: "sms:write", alsoScopes: ["calls:write", "emails:write"] } as const;
export const reads = { scope: "sms:read", alsoScopes: ["calls:read", "emails:read"] } as const;

/** Throws permission_denied unless the request can send through, or read, every one of some channels. */
export function requireChannels(request: FastifyRequest, channels: readonly CodeChannel[], may: "read" | "write"): void {
  for (const channel of channels) requireScope(request, `${families[channel]}:${may}`);
}

/** The channels whose messages a request can read. */
export function readableChannels({ principal }: FastifyRequest): CodeChannel[] {
  return codeChannels.filter((channel) => principal.scopes.has(`${families[channel]}:read`));
}
