import { afterBreaks, headerEnd, maxMessageBytes, type Parsed, parseMessage } from "./parse-message.ts";

const maxHeaderBytes = 16_384;

/** Splits a stream into messages. Limits what a connection may send without completing a message; after a fault it can only be closed. */
export class StreamFramer {
  private held: Buffer = Buffer.alloc(0);
  private scanned = 0;

  /** Returns the messages that are complete by now; `broken`: the stream is out of step. */
  take(bytes: Buffer): { messages: Parsed[]; broken: boolean } {
    this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    const messages: Parsed[] = [];
    while (this.held.length > 0) {
      const start = afterBreaks(this.held);
      // Only new bytes are searched for the end of the headers.
      const end = headerEnd(this.held, Math.max(start, this.scanned - 4));
      if (end === null) {
        this.scanned = this.held.length;
        this.held = start === this.held.length ? Buffer.alloc(0) : this.held;
        return { messages, broken: this.held.length > maxHeaderBytes };
      }
      const length = announced(this.held.toString("latin1", start, end.at));
      if (length === null || end.next + length > maxMessageBytes) return { messages, broken: true };
      if (this.held.length < end.next + length) return { messages, broken: false };
      const parsed = parseMessage(this.held.subarray(0, end.next + length), false);
      this.held = this.held.subarray(end.next + length);
      this.scanned = 0;
      if (parsed !== null) messages.push(parsed);
    }
    this.scanned = 0;
    return { messages, broken: false };
  }
}

function announced(head: string): number | null {
  const match = /(?:^|\n)(?:content-length|l)[ \t]{0,20}:[ \t\r\n]{0,20}(\d{1,8})/i.exec(head);
  return match?.[1] === undefined ? null : Number(match[1]);
}
