import type { Hop } from "../net/signalling.ts";
import type { ClientTransaction, ClientUser } from "../transaction/client-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { HeaderList } from "../wire/header-list.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import type { Credentials, Tried } from "./credentials.ts";

/** One request as a user sends it; each try has a CSeq of its own. */
export interface SignedSend {
  transactions: Transactions;
  credentials: Credentials;
  /** The request of one more try, without credentials. */
  build(): { request: SipRequest; hop: Hop };
  /** Told of each try, for what must name it: CANCEL and ACK. */
  onTry?(transaction: ClientTransaction): void;
  /** Asked before another try; a call that was canceled is not tried again. */
  mayRepeat?(): boolean;
}

/** Sends a request and answers the challenges of its trunk; what a challenge that cannot be answered means is the user's. */
export function sendSigned(send: SignedSend, user: ClientUser, tried: Tried = new Map()): void {
  const { request, hop } = send.build();
  const signed: SipRequest = { ...request, headers: new HeaderList([...request.headers.entries(), ...send.credentials.headersFor(request)]) };
  const final = (response: SipResponse) => {
    const isAsked = response.status === 401 || response.status === 407;
    if (isAsked && (send.mayRepeat?.() ?? true) && send.credentials.learn(response, tried)) return sendSigned(send, user, tried);
    user.final(response);
  };
  const taken: ClientUser = { final, failed: (cause) => user.failed(cause), provisional: (response) => user.provisional?.(response) };
  send.transactions.send(signed, hop, taken).then(
    (transaction) => send.onTry?.(transaction),
    () => user.failed("unreachable"),
  );
}
