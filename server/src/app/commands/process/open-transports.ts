import type { Registry } from "prom-client";
import { createTransportBoard } from "#messaging/index.ts";
import { createSmsIntake } from "#sms/index.ts";
import type { TaskParts } from "#workers/index.ts";
import { type Mail, openMail } from "../../mail/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { openSms } from "../../sms/open-sms.ts";
import { openVoice } from "../../voice/index.ts";

/** How LIVE messages leave a process that runs background work. */
export interface Transports {
  mail: Mail;
  parts: Pick<TaskParts, "mail" | "sms" | "calls" | "board">;
  /** Called after the workers have stopped, because they may still be sending. */
  close(): Promise<void>;
}

/** Opens the configured transports. `registry` gets metrics of carriers' responses and of connections. */
export async function openTransports(runtime: Runtime, registry: Registry | undefined): Promise<Transports> {
  const { ctx, settings } = runtime;
  const board = createTransportBoard(ctx.now);
  const mail = await openMail({ ctx, settings, board });
  const sms = await openSms({ ctx, settings, intake: createSmsIntake(ctx), registry, board });
  const voice = await openVoice({ ctx, settings, registry, board });
  return {
    mail,
    parts: { board, mail: mail.transport, sms, ...(voice === null ? {} : { calls: voice }) },
    async close() {
      await Promise.all([mail.close(), ...sms.map((transport) => transport.close()), voice?.close()]);
    },
  };
}
