import { afterAll } from "vitest";
import type { EmailTransport } from "#email/index.ts";
import { addressPolicy } from "#platform/index.ts";
import { createMxTransport, type MxOptions } from "#providers/email/smtp/mx/create-mx-transport.ts";
import { type MailPeer, mailPeer, type PeerRules, stubDns } from "./mail-peer.ts";

/** An address record of this machine. */
export const loopback = { a: ["127.0.0.1"] };
/** example.com with one mail server, on this machine. */
export const usualZone = { "example.com": { mx: [[10, "mx.example.com"]] as [number, string][] }, "mx.example.com": loopback };

/** lovelace.dev without a mail server, so that its address is one. */
export const lovelaceZone = { "lovelace.dev": loopback };

/** Direct delivery that may reach this machine, at one port. The caller closes it. */
export function openMx(port: number, options: Partial<MxOptions> = {}): EmailTransport {
  return createMxTransport({
    hello: "acme.example",
    now: () => new Date(),
    dns: stubDns(usualZone),
    fetchText: async () => null,
    admits: addressPolicy(["127.0.0.0/8"]),
    port,
    ...options,
  });
}

/** Direct delivery that is closed when the test file ends. */
export function mxTo(port: number, options: Partial<MxOptions> = {}): EmailTransport {
  const made = openMx(port, options);
  afterAll(() => made.close());
  return made;
}

/** A mail server with rules, and direct delivery to it. */
export async function peerAndMx(rules: PeerRules = {}, options: Partial<MxOptions> = {}): Promise<{ peer: MailPeer; mx: EmailTransport }> {
  const peer = await mailPeer(rules);
  return { peer, mx: mxTo(peer.port, options) };
}
