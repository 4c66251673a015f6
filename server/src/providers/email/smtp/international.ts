import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { OutgoingEmail } from "#email/index.ts";

const other = /[^\x00-\x7f]/;

/**
 * Whether a message needs a server with SMTPUTF8 (RFC 6531): its envelope or its headers have an address outside ASCII. Names and subjects
 * are encoded, but local parts can't be.
 */
export function isInternational({ to, return_path, raw }: Pick<OutgoingEmail, "to" | "return_path" | "raw">): boolean {
  const end = raw.indexOf("\r\n\r\n");
  return other.test(to + return_path) || raw.subarray(0, end < 0 ? raw.length : end).some((byte) => byte > 0x7f);
}

/** nodemailer announces SMTPUTF8 only for the envelope. Returns a function that says whether the next message needs it for its headers. */
export function announceUtf8(connection: SMTPConnection): (isNeeded: boolean) => void {
  const inner = connection as unknown as { _sendCommand(text: string): void };
  const send = inner._sendCommand.bind(connection);
  let isAnnounced = false;
  inner._sendCommand = (text) =>
    send(isAnnounced && text.startsWith("MAIL FROM:") && !/ SMTPUTF8( |$)/.test(text) ? `${text} SMTPUTF8` : text);
  return (isNeeded) => {
    isAnnounced = isNeeded;
  };
}
