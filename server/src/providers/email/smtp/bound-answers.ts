import type SMTPConnection from "nodemailer/lib/smtp-connection";

/** More than any honest server sends in one step: responses are a few lines of at most 512 bytes. */
const maxBytes = 65_536;

interface Inner {
  _onData(chunk: Buffer): void;
  _onError(error: Error, type: string, data: false, command: string): void;
}

/**
 * Closes a connection whose server sends without end. nodemailer limits one response to a megabyte, but accepts an unlimited number of
 * empty lines and of responses that no command asked for, which uses up a core and all memory. Returns a function to call at the start of
 * each step.
 */
export function boundAnswers(connection: SMTPConnection): () => void {
  const inner = connection as unknown as Inner;
  const receive = inner._onData.bind(connection);
  let received = 0;
  inner._onData = (chunk) => {
    received += chunk.length;
    if (received <= maxBytes) receive(chunk);
    else if (received - chunk.length <= maxBytes)
      inner._onError(new Error("the server says more than any answer needs"), "EPROTOCOL", false, "CONN");
  };
  return () => {
    received = 0;
  };
}
