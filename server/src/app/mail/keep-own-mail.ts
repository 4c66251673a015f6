import type { EmailTransport } from "#email/index.ts";
import { type Ctx, ownProject } from "#platform/index.ts";
import type { OwnMailFolder } from "./own-mail-folder.ts";

/**
 * While no email is sent, system emails are stored as files next to the outbox, so that an operator with access to the data folder can
 * follow a password reset's link. Tenants' emails aren't.
 */
export function keepOwnMail(transport: EmailTransport, given: { ctx: Ctx; folder: OwnMailFolder }): EmailTransport {
  const { ctx, folder } = given;
  return {
    ...transport,
    async send(outgoing, signal) {
      if (outgoing.project_id !== ownProject.project_id || outgoing.livemode !== ownProject.livemode)
        return transport.send(outgoing, signal);
      try {
        const file = await folder.keep(outgoing.email_id, outgoing.raw);
        ctx.log.info({ file }, "this installation doesn't send email yet; a system email is kept as a file");
      } catch (error) {
        ctx.log.error({ folder: folder.path, reason: (error as Error).message }, "a system email couldn't be stored as a file");
        return {
          provider: "outbox",
          result: "deferred",
          bounce: { type: "transient", subtype: "general" },
          diagnostic: "It couldn't be stored as a file.",
        };
      }
      return transport.send(outgoing, signal);
    },
  };
}
