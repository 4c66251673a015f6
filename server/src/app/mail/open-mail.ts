import { readFile } from "node:fs/promises";
import type { EmailTransport } from "#email/index.ts";
import type { BounceHost } from "#listeners/index.ts";
import type { TransportBoard } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import { checkMail } from "../doctor/mail-checks.ts";
import { keepOwnMail } from "./keep-own-mail.ts";
import { openTransport } from "./open-transport.ts";
import { ownMailFolder } from "./own-mail-folder.ts";

/** The email of one process: its transport, and the host that receives bounces. */
export interface Mail {
  transport: EmailTransport;
  /** Stops receiving reports. Called before the workers stop, which may still be sending. */
  stopListening(): Promise<void>;
  /** Closes connections. Called after the workers have stopped. */
  close(): Promise<void>;
}

/** Opens both and checks in the background whether email can be sent. A bounce host that can't listen is logged and stops nothing else. */
export async function openMail({ settings, ctx, board }: { settings: Settings; ctx: Ctx; board?: TransportBoard }): Promise<Mail> {
  const out = await openTransport({ settings, ctx, board });
  const folder = ownMailFolder(settings.TILLPOST_DATA_DIR, ctx.now);
  // Emails stored while none could be sent contain links that open accounts, and are no longer needed.
  await (settings.EMAIL_TRANSPORT === "outbox" ? folder.tidy() : folder.empty());
  const transport = settings.EMAIL_TRANSPORT === "outbox" ? keepOwnMail(out, { ctx, folder }) : out;
  const bounces = await openBounceHost(settings, ctx);
  if (settings.EMAIL_TRANSPORT !== "outbox") void logFaults(settings, ctx);
  return { transport, stopListening: async () => bounces?.stop(), close: () => transport.close() };
}

async function openBounceHost(settings: Settings, ctx: Ctx): Promise<BounceHost | null> {
  const { EMAIL_BOUNCE_DOMAIN: name, EMAIL_BOUNCE_HOST: host, EMAIL_BOUNCE_PORT: port } = settings;
  if (name === null) return null;
  try {
    const { startBounceHost } = await import("#listeners/index.ts");
    const bounces = await startBounceHost(ctx, { host, port, name, tls: await certificateOf(settings) });
    ctx.log.info({ host, port }, "receiving delivery reports");
    return bounces;
  } catch (error) {
    const reason = (error as Error).message;
    ctx.log.error(
      { reason, host, port },
      "delivery reports aren't received: the bounce host can't listen. Choose another EMAIL_BOUNCE_PORT, or run only one process with it",
    );
    return null;
  }
}

async function certificateOf({ EMAIL_BOUNCE_TLS_CERT, EMAIL_BOUNCE_TLS_KEY }: Settings): Promise<{ key: string; cert: string } | null> {
  if (EMAIL_BOUNCE_TLS_CERT === null && EMAIL_BOUNCE_TLS_KEY === null) return null;
  if (EMAIL_BOUNCE_TLS_CERT === null || EMAIL_BOUNCE_TLS_KEY === null)
    throw new Error("EMAIL_BOUNCE_TLS_CERT and EMAIL_BOUNCE_TLS_KEY go together");
  const [cert, key] = await Promise.all([readFile(EMAIL_BOUNCE_TLS_CERT, "utf8"), readFile(EMAIL_BOUNCE_TLS_KEY, "utf8")]);
  return { cert, key };
}

async function logFaults(settings: Settings, ctx: Ctx): Promise<void> {
  const findings = await checkMail(settings, { isRunning: false }).catch(() => []);
  for (const { state, message, fix } of findings) if (state === "fault") ctx.log.warn({ fix }, `mail: ${message}`);
}
