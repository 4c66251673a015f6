import type { Hop } from "../net/signalling.ts";
import type { ClientTransaction, ClientUser } from "../transaction/client-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { HeaderList } from "../wire/header-list.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import type { Credentials, Tried } from "./credentials.ts";

/** One request as a user sends it; each try has its own CSeq. */
export interface SignedSend {
  transactions: Transactions;
  credentials: Credentials;
  /** Builds the request of the next try, without credentials. */
  build(): { request: SipRequest; hop: Hop };
  /** Called for each try, so that CANCEL and ACK can refer to it. */
  onTry?(transaction: ClientTransaction): void;
  /** Checked before another try; a canceled call isn't retried. */
  mayRepeat?(): boolean;
}

/** Sends a request and answers the challenges of its trunk; a challenge that can't be answered goes to the user. */
export function sendSigned(send: SignedSend, user: ClientUser, tried: Tried = new Map()): void {
  const { request, hop } = send.build();
  const signed: SipRequest = {
    ...request,
    headers: new HeaderList([...request.headers.entries(), ...send.credentials.headersFor(request)]),
  };
  const final = (response: SipResponse) => {
    const isChallenge = response.status === 401 || response.status === 407;
    if (isChallenge && (send.mayRepeat?.() ?? true) && send.credentials.learn(response, tried)) return sendSigned(send, user, tried);
    user.final(response);
  };
  const taken: ClientUser = { final, failed: (cause) => user.failed(cause), provisional: (response) => user.provisional?.(response) };
  send.transactions.send(signed, hop, taken).then(
    (transaction) => send.onTry?.(transaction),
    () => user.failed("unreachable"),
  );
}
