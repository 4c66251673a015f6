import { newId } from "#platform/index.ts";

/** One id of each kind of object that a path, a query or a body can specify. */
export interface Ids {
  projectId: string;
  order: string;
  /** An order that waits for a review. */
  reported: string;
  exception: string;
  refund: string;
  dispute: string;
  asset: string;
  profile: string;
  session: string;
  voucher: string;
  event: string;
  receipt: string;
  previewId: string;
  transaction: string;
  wallet: string;
  webhook: string;
  attemptId: string;
  /** A gateway, an account with its provider, and a call that was made on it. */
  slug: string;
  credential: string;
  gatewayAttempt: string;
  refusedCallback: string;
  domain: string;
  suppression: string;
  number: string;
  pause: string;
  email: string;
  emailEvent: string;
  sms: string;
  smsEvent: string;
  batch: string;
  call: string;
  callEvent: string;
  verification: string;
  recordingId: string;
  /** Token of a link in an email. */
  leave: string;
  channel: string;
  token: string;
  apiKey: string;
  member: string;
  invitation: string;
  audit: string;
}

/** Ids of the same shape that don't exist. */
export function ghostOf({ token, leave }: Ids): Ids {
  const swapped = [...token].reverse().join("").slice(0, 8);
  return {
    projectId: newId("prj"),
    order: newId("ord"),
    reported: newId("ord"),
    exception: newId("exc"),
    refund: newId("rf"),
    dispute: newId("dsp"),
    asset: newId("ast"),
    profile: newId("cp"),
    session: newId("ps"),
    voucher: newId("vch"),
    event: newId("evt"),
    receipt: newId("rcp"),
    previewId: newId("imp"),
    transaction: newId("txn"),
    wallet: newId("wal"),
    webhook: newId("we"),
    attemptId: newId("wat"),
    slug: "testpay",
    credential: newId("gc"),
    gatewayAttempt: newId("gat"),
    refusedCallback: newId("gst"),
    apiKey: newId("key"),
    member: newId("mem"),
    invitation: newId("inv"),
    audit: newId("aud"),
    email: newId("em"),
    batch: newId("bat"),
    call: newId("call"),
    callEvent: newId("evt"),
    verification: newId("ver"),
    recordingId: newId("rec"),
    leave: [...leave].reverse().join(""),
    emailEvent: newId("evt"),
    sms: newId("sms"),
    smsEvent: newId("evt"),
    domain: newId("dom"),
    suppression: newId("sup"),
    number: newId("num"),
    pause: newId("pau"),
    channel: "wechat",
    token: token.slice(0, -8) + swapped,
  };
}
