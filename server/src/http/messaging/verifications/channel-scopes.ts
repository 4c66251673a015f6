import type { FastifyRequest } from "fastify";
import { type CodeChannel, codeChannels } from "#verifications/index.ts";
import { requireScope } from "../../gate/require-scope.ts";

const families = { sms: "sms", call: "calls", email: "emails" } as const satisfies Record<CodeChannel, string>;

/** A verification is opened by the permissions of its channels. What any of them lets in, is looked at once the channels are known. */
export const writes = { scope: "sms:write", alsoScopes: ["calls:write", "emails:write"] } as const;
export const reads = { scope: "sms:read", alsoScopes: ["calls:read", "emails:read"] } as const;

/** Throws permission_denied unless the request may send through, or read, every one of some channels. */
export function requireChannels(request: FastifyRequest, channels: readonly CodeChannel[], may: "read" | "write"): void {
  for (const channel of channels) requireScope(request, `${families[channel]}:${may}`);
}

/** The channels whose messages a request may read. */
export function readableChannels({ principal }: FastifyRequest): CodeChannel[] {
  return codeChannels.filter((channel) => principal.scopes.has(`${families[channel]}:read`));
}
