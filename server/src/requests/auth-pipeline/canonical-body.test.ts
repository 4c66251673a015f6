import Type from "typebox";
import { expect, test } from "vitest";
import { canonicalBody } from "./canonical-body.ts";

const at = Type.String({ format: "date-time" });
const schema = Type.Object({
  paid_at: at,
  note: Type.String(),
  metadata: Type.Record(Type.String(), Type.String()),
  parts: Type.Array(Type.Object({ at })),
  customer: Type.Object({ name: Type.String(), since: at }),
});
const utc = "2026-11-22T10:00:00.000Z";
const zoned = "2026-11-22T18:00:00+08:00";
const row = (...[input, answer, so]: [unknown, unknown, string]) => ({ input, answer, so });

test.each([
  row({ paid_at: zoned }, { paid_at: utc }, "an instant is compared in UTC"),
  row({ paid_at: "2026-11-22T10:00:00Z" }, { paid_at: utc }, "and with milliseconds"),
  row({ parts: [{ at: zoned }] }, { parts: [{ at: utc }] }, "in arrays as well"),
  row({ customer: { name: null, since: zoned } }, { customer: { since: utc } }, "and in objects, where null is left out too"),
  row({ note: zoned }, { note: zoned }, "a text that looks like one stays a text"),
  row({ metadata: { at: zoned, none: null } }, { metadata: { at: zoned, none: null } }, "metadata is the merchant's own"),
  row({ paid_at: "soon" }, { paid_at: "soon" }, "what is no instant stays as it is"),
  row([{ at: zoned }], [{ at: zoned }], "what the schema does not describe stays as it is"),
  row("text", "text", "a body need not be an object"),
])("$so", ({ input, answer }) => {
  expect(canonicalBody(input, schema)).toEqual(answer);
});

test("a schema of several shapes describes the fields of all of them", () => {
  const messages = Type.Array(Type.Object({ scheduled_at: at }));
  const batch = { anyOf: [messages, Type.Object({ emails: messages }), Type.Object({ messages })] };
  for (const wrap of [(all: unknown) => all, (emails: unknown) => ({ emails }), (all: unknown) => ({ messages: all })])
    expect(canonicalBody(wrap([{ scheduled_at: zoned }]), batch)).toEqual(wrap([{ scheduled_at: utc }]));
});
