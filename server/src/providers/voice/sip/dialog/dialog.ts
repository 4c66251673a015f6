import type { Hop } from "../net/signalling.ts";
import { parseNameAddress, parseUri } from "../wire/address.ts";
import { HeaderList } from "../wire/header-list.ts";
import { readCSeq, type SipRequest, type SipResponse } from "../wire/message.ts";

/** A dialog of two user agents (RFC 3261 §12), from our side. */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From and To of our requests, including tags. */
  readonly local: string;
  readonly remote: string;
  /** Record-Route of the response, nearest first. */
  readonly routes: readonly string[];
  remoteTarget: string;
  localSeq: number;
  remoteSeq: number | null;
  /** Where its requests go without a route. */
  readonly hop: Hop;
}

/** Returns the dialog that a response to our INVITE opens. A peer that omits its tag or its Contact can still be hung up. */
export function dialogOf(invite: SipRequest, response: SipResponse, hop: Hop): Dialog {
  const from = parseNameAddress(invite.headers.get("from") ?? "");
  const remote = response.headers.get("to") ?? "";
  const contact = parseNameAddress(response.headers.listOf("contact")[0] ?? "")?.uri;
  return {
    callId: invite.headers.get("call-id") ?? "",
    localTag: from?.params.get("tag") ?? "",
    remoteTag: parseNameAddress(remote)?.params.get("tag") ?? "",
    local: invite.headers.get("from") ?? "",
    remote,
    routes: response.headers.listOf("record-route").reverse(),
    remoteTarget: contact !== undefined && parseUri(contact) !== null ? contact : invite.uri,
    localSeq: readCSeq(invite)?.number ?? 0,
    remoteSeq: null,
    hop,
  };
}

interface NewRequest {
  method: string;
  headers?: readonly (readonly [string, string])[];
  body?: Buffer;
  /** The CSeq number of an ACK is that of its INVITE. */
  seq?: number;
}

/** Builds a request inside the dialog, without a Via, and returns the address it must be sent to. */
export function requestIn(
  dialog: Dialog,
  { method, headers = [], body = Buffer.alloc(0), seq }: NewRequest,
): { request: SipRequest; next: string } {
  const number = seq ?? (dialog.localSeq += 1);
  const first = parseNameAddress(dialog.routes[0] ?? "")?.uri;
  const isLoose = first === undefined || (parseUri(first)?.params.has("lr") ?? true);
  // A strict router (RFC 2543) needs its own address as the target, and the real one as the last route.
  const uri = isLoose ? dialog.remoteTarget : first;
  const routes = isLoose ? dialog.routes : [...dialog.routes.slice(1), `<${dialog.remoteTarget}>`];
  const rows: [string, string][] = [
    ["max-forwards", "70"],
    ...routes.map((route): [string, string] => ["route", route]),
    ["from", dialog.local],
    ["to", dialog.remote],
    ["call-id", dialog.callId],
    ["cseq", `${number} ${method}`],
  ];
  return {
    request: { kind: "request", method, uri, headers: new HeaderList([...rows, ...headers]), body },
    next: first ?? dialog.remoteTarget,
  };
}

/** Whether a request of the peer is newer than the previous ones; records it if so. */
export function isInOrder(dialog: Dialog, request: SipRequest): boolean {
  const number = readCSeq(request)?.number ?? 0;
  if (dialog.remoteSeq !== null && number <= dialog.remoteSeq) return false;
  dialog.remoteSeq = number;
  return true;
}

/** Updates the peer's target from a request that may change it (RFC 3261 §12.2). */
export function refreshTarget(dialog: Dialog, message: SipRequest | SipResponse): void {
  const contact = parseNameAddress(message.headers.listOf("contact")[0] ?? "")?.uri;
  if (contact !== undefined && parseUri(contact) !== null) dialog.remoteTarget = contact;
}

/** The dialog identifiers of a request or response, seen from our side. */
export function dialogName(message: SipRequest): { callId: string; localTag: string; remoteTag: string } {
  const tag = (name: string) => parseNameAddress(message.headers.get(name) ?? "")?.params.get("tag") ?? "";
  return { callId: message.headers.get("call-id") ?? "", localTag: tag("to"), remoteTag: tag("from") };
}
