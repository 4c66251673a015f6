import { afterBreaks, headerEnd, maxMessageBytes, type Parsed, parseMessage } from "./parse-message.ts";

const maxHeaderBytes = 16_384;

/** Splits a stream into messages. Limits what a connection may send without completing a message; after a fault it can only be closed. */
export class StreamFramer {
  private held: Buffer = Buffer.alloc(0);
  private scanned = 0;
  /** What has arrived of a body since its headers, and how many bytes of it are missing. */
  private body: Buffer[] = [];
  private missing = 0;

  /** Returns the messages that are complete by now; `broken`: the stream is out of step. */
  take(bytes: Buffer): { messages: Parsed[]; broken: boolean } {
    const messages: Parsed[] = [];
    this.body.push(bytes);
    this.missing -= bytes.length;
    if (this.missing > 0) return { messages, broken: false };
    this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, ...this.body]);
    this.body = [];
    this.missing = 0;
    while (this.skipBreaks()) {
      // Only new bytes are searched for the end of the headers.
      const end = headerEnd(this.held, Math.max(0, this.scanned - 4));
      if (end === null) {
        this.scanned = this.held.length;
        return { messages, broken: this.held.length > maxHeaderBytes };
      }
      const length = announced(this.held.toString("latin1", 0, end.at));
      if (length === null || end.next + length > maxMessageBytes) return { messages, broken: true };
      this.scanned = 0;
      if (this.held.length < end.next + length) {
        this.missing = end.next + length - this.held.length;
        return { messages, broken: false };
      }
      const parsed = parseMessage(this.held.subarray(0, end.next + length), false);
      this.held = this.held.subarray(end.next + length);
      if (parsed !== null) messages.push(parsed);
    }
    return { messages, broken: false };
  }

  /** Whether anything follows the line breaks before a message, which are dropped. */
  private skipBreaks(): boolean {
    const start = afterBreaks(this.held);
    this.held = this.held.subarray(start);
    this.scanned = Math.max(0, this.scanned - start);
    return this.held.length > 0;
  }
}

function announced(head: string): number | null {
  const match = /(?:^|\n)(?:content-length|l)[ \t]{0,20}:[ \t\r\n]{0,20}(\d{1,8})/i.exec(head);
  return match?.[1] === undefined ? null : Number(match[1]);
}
