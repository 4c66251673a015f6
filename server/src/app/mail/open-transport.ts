import type { EmailTransport } from "#email/index.ts";
import type { TransportBoard, TransportNotes } from "#messaging/index.ts";
import { addressPolicy, type Ctx } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import { watchMail } from "./watch-mail.ts";

interface Parts {
  settings: Settings;
  ctx: Ctx;
  /** Where operators see the transport's state. */
  board: TransportBoard | undefined;
}

/** Opens the configured transport of LIVE email. The SMTP code takes memory, so it's loaded only if it's used. */
export async function openTransport({ settings, ctx, board }: Parts): Promise<EmailTransport> {
  const hello = settings.EMAIL_HELO;
  let notes: TransportNotes | null = null;
  const watched = (name: string, transport: EmailTransport): EmailTransport => {
    if (board === undefined) return transport;
    const watching = watchMail(board, { name, transport });
    notes = watching.notes;
    return watching.transport;
  };
  if (settings.EMAIL_TRANSPORT === "relay" && settings.EMAIL_RELAY_URL !== null) {
    const { createRelayTransport } = await import("#providers/email/smtp/relay/create-relay-transport.ts");
    const onBackOff = (reason: string, until: Date) => {
      ctx.log.warn({ reason, until }, "the email relay accepts nothing right now; email waits");
      notes?.down(reason, until);
    };
    const relay = createRelayTransport({ url: settings.EMAIL_RELAY_URL, hello, now: ctx.now, onBackOff });
    return watched(`relay:${new URL(settings.EMAIL_RELAY_URL).hostname}`, relay);
  }
  if (settings.EMAIL_TRANSPORT === "mx") {
    const { createMailDns } = await import("#providers/email/smtp/mx/mail-dns.ts");
    const { createMxTransport } = await import("#providers/email/smtp/mx/create-mx-transport.ts");
    const mx = createMxTransport({
      hello,
      ...(settings.EMAIL_BOUNCE_DOMAIN === null ? {} : { ownNames: [settings.EMAIL_BOUNCE_DOMAIN] }),
      now: ctx.now,
      dns: createMailDns(),
      fetchText: (url) => fetchText(ctx, url),
      admits: addressPolicy(settings.EGRESS_ALLOW),
      onBackOff(site, reason, until) {
        ctx.log.info({ site, reason, until }, "a mail server is paused for a while");
        notes?.fault(`${site}: ${reason}`);
      },
    });
    return watched("mx", mx);
  }
  const { createOutboxTransport } = await import("#providers/email/outbox/create-outbox-transport.ts");
  return createOutboxTransport();
}

async function fetchText(ctx: Ctx, url: string): Promise<string | null> {
  const exchange = await ctx.egress.request({ url, method: "GET", headers: {}, owner: "mta-sts" });
  return exchange.status === 200 && !exchange.truncated ? exchange.body.toString("utf8") : null;
}
