import type SMTPConnection from "nodemailer/lib/smtp-connection";

/** More than any honest server says in one step: answers are a few lines of 512 bytes at most. */
const maxBytes = 65_536;

interface Inner {
  _onData(chunk: Buffer): void;
  _onError(error: Error, type: string, data: false, command: string): void;
}

/**
 * Ends a connection whose server sends endlessly. nodemailer limits one response, to a megabyte, but accepts empty lines and responses that
 * no command asked for one by one for as long as they come, which costs a core and all memory. Call what this answers at the beginning of
 * each step.
 */
export function boundAnswers(connection: SMTPConnection): () => void {
  const inner = connection as unknown as Inner;
  const hear = inner._onData.bind(connection);
  let heard = 0;
  inner._onData = (chunk) => {
    heard += chunk.length;
    if (heard <= maxBytes) hear(chunk);
    else if (heard - chunk.length <= maxBytes) inner._onError(new Error("the server says more than any answer needs"), "EPROTOCOL", false, "CONN");
  };
  return () => {
    heard = 0;
  };
}
