import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { callStates } from "#calls/states.ts";
import { receiptStates } from "#collection/receipt/states.ts";
import { domainStates } from "#email/domain/states.ts";
import { emailStates } from "#email/states.ts";
import { pollStates } from "#gateways/states.ts";
import { pauseStates } from "#guards/traffic/states.ts";
import { verificationStates } from "#identity/merchants/states.ts";
import { queueStates } from "#messaging/states.ts";
import { numberStates } from "#numbers/states.ts";
import { gatewayPaymentStates, refundPollStates, refundStates, sessionStates, voucherStates } from "#orders/states.ts";
import { noticeStates } from "#platform/notices/states.ts";
import { partStates, smsStates } from "#sms/states.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { verificationStates as codeStates } from "#verifications/states.ts";
import { deliveryStates } from "#webhooks/states.ts";

const { ctx, tenant, superuserUrl } = await testApp();
const raw = new pg.Client(superuserUrl);
await raw.connect();
afterAll(() => raw.end());

/** Written by the previous version, which may still run: it ends a notice while it is due. */
const endedWhileDue = ["due>sent", "due>skipped", "due>failed"];

const kinds = [
  { trigger: "merchants_verification_status_moves", states: verificationStates },
  { trigger: "receipts_status_moves", states: receiptStates },
  { trigger: "payment_sessions_status_moves", states: sessionStates },
  { trigger: "vouchers_status_moves", states: voucherStates },
  { trigger: "refunds_status_moves", states: refundStates },
  { trigger: "gateway_payments_status_moves", states: gatewayPaymentStates },
  { trigger: "gateway_payments_state_moves", states: pollStates },
  { trigger: "gateway_callbacks_state_moves", states: pollStates },
  { trigger: "gateway_comparisons_state_moves", states: pollStates },
  { trigger: "gateway_refunds_state_moves", states: refundPollStates },
  { trigger: "domains_status_moves", states: domainStates },
  { trigger: "notices_state_moves", states: noticeStates, before: endedWhileDue },
  { trigger: "webhook_deliveries_state_moves", states: deliveryStates },
  { trigger: "email_recipients_status_moves", states: emailStates },
  { trigger: "email_recipients_state_moves", states: queueStates },
  { trigger: "sms_status_moves", states: smsStates },
  { trigger: "sms_state_moves", states: queueStates },
  { trigger: "sms_parts_status_moves", states: partStates },
  { trigger: "numbers_status_moves", states: numberStates },
  { trigger: "calls_status_moves", states: callStates },
  { trigger: "calls_state_moves", states: queueStates },
  { trigger: "verifications_status_moves", states: codeStates },
  { trigger: "messaging_pauses_status_moves", states: pauseStates },
];

/** Their moves are in a function, and compared by trying each: below, and in the test of the orders' states. */
const triedOut = ["emails_moves", "orders_moves"];

/** The name of what refused a statement; null if nothing did. */
const refusalOf = (text: string, values: unknown[]): Promise<string | null> =>
  raw.query(text, values).then(
    () => null,
    (error: { constraint?: string }) => error.constraint ?? String(error),
  );

test("every trigger that refuses moves is compared with a table of the code", async () => {
  const { rows } = await raw.query<{ name: string }>(
    "select tgname as name from pg_trigger where tgname like '%\\_moves' or tgfoid = 'refuse_illegal_move'::regproc",
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...kinds.map(({ trigger }) => trigger), ...triedOut].sort());
});

test.each(kinds)("$trigger allows exactly the moves of the code's table", async ({ trigger, states, before = [] }) => {
  const { rows } = await raw.query<{ text: string }>(
    "select pg_get_triggerdef(oid) as text from pg_trigger where tgname = $1 and tgenabled = 'O'",
    [trigger],
  );
  const listed = [...(rows[0]?.text ?? "").matchAll(/'(\w+>\w+)'/g)].map(([, move]) => move);
  expect(listed.sort()).toEqual([...states.moves, ...before].sort());
});

test.each(kinds)("$trigger has every state that the table's check allows", async ({ trigger, states }) => {
  const [table, column] = [/^(.+?)_(?:verification_status|status|state)_moves$/, /(verification_status|status|state)_moves$/].map(
    (part) => part.exec(trigger)?.[1],
  );
  const { rows } = await raw.query<{ text: string }>("select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1", [
    `${table}_${column}_check`,
  ]);
  const allowed = [...(rows[0]?.text ?? "").matchAll(/'(\w+)'/g)].map(([, state]) => state);
  expect(allowed.sort()).toEqual([...states.all].sort());
});

describe("the database moves a notice", () => {
  const ended = (state: string) => ["sent", "skipped", "failed"].includes(state);
  const pairs = noticeStates.all.flatMap((from) => noticeStates.all.filter((to) => to !== from).map((to) => ({ from, to })));

  test.each(pairs)("from $from to $to, if the table says so", async ({ from, to }) => {
    const id = `ntc_${from}_${to}`;
    await raw.query(
      "insert into notices (id, kind, recipient, params, due_at, created_at, state, finished_at) values ($1, 'job_set_aside', 'x', '', now(), now(), $2, $3)",
      [id, from, ended(from) ? new Date(0) : null],
    );
    const refused = await refusalOf("update notices set state = $2, finished_at = $3 where id = $1", [
      id,
      to,
      ended(to) ? new Date(0) : null,
    ]);
    expect(refused).toBe(noticeStates.allows(from, to) || endedWhileDue.includes(`${from}>${to}`) ? null : "notices_state_moves");
  });
});

test("no merchant becomes pending again, whoever requests it", async () => {
  const { merchant_id } = await tenant();
  const pending = "update merchants set verification_status = 'pending', verified_at = null where id = $1";
  expect(await refusalOf(pending, [merchant_id])).toBe("merchants_verification_status_moves");
  expect(
    await refusalOf("update merchants set verification_status = 'rejected', verified_at = null where id = $1", [merchant_id]),
  ).toBeNull();
});

test("the database lets a message leave a final state only as the table says", async () => {
  const { email } = await mailRoom(ctx).send(await tenant({ livemode: true }));
  const ends = emailStates.all.filter((state) =>
    ["delivered", "complained", "bounced", "failed", "suppressed", "canceled"].includes(state),
  );
  for (const [from, to] of ends.flatMap((one) => emailStates.all.filter((other) => other !== one).map((other) => [one, other] as const))) {
    await raw.query("begin; set local session_replication_role = replica");
    await raw.query("update emails set status = $2 where id = $1", [email.id, from]);
    await raw.query("set local session_replication_role = origin");
    const refused = await refusalOf("update emails set status = $2 where id = $1", [email.id, to]);
    await raw.query("rollback");
    expect(refused, `${from} to ${to}`).toBe(emailStates.allows(from, to) ? null : "emails_moves");
  }
});

test("a move that isn't in any table is refused before a statement is sent, and keeping the same state isn't a move", () => {
  expect(() => deliveryStates.check(["leased", "due"], "succeeded")).toThrow("no delivery moves from due to succeeded");
  expect(() => deliveryStates.check(["leased", "succeeded"], "succeeded")).not.toThrow();
});
