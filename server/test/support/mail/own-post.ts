import PostalMime from "postal-mime";
import { sendNotices } from "#notices/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { type MailRoom, mailRoom } from "./mail.ts";

/** All system emails, captured where they would leave. */
export interface OwnPost {
  /** The newest email to an address, as its reader gets it. Fails if there isn't one. */
  read(to: string): Promise<{ subject: string; text: string; html: string; link: string }>;
}

export function ownPost(app: TestApp): OwnPost {
  const room: MailRoom = mailRoom(app.ctx);
  return {
    async read(to) {
      while ((await sendNotices(app.ctx)) > 0);
      await room.settle();
      const outgoing = room.transport.emails.findLast((one) => one.to === to);
      if (outgoing === undefined) throw new Error(`no mail to ${to}`);
      const { subject = "", text = "", html = "" } = await PostalMime.parse(outgoing.raw);
      const [link] = text.match(/https?:\/\/\S+token=[\w.~%-]+/) ?? [];
      if (link === undefined) throw new Error(`no link in the mail to ${to}: ${text}`);
      return { subject, text, html, link };
    },
  };
}
