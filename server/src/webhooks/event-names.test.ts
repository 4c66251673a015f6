import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkEvents, eventFilter, eventNames } from "./event-names.ts";

test("the guide lists every event that exists, and no other", () => {
  const guide = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const listed = [...guide.slice(guide.indexOf("| Event | Sent when |")).matchAll(/^\| `([a-z._]+)` \|/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(eventNames.toSorted());
});

describe("what an endpoint may subscribe to", () => {
  test.each(["order.paid", "order.*", "payment.*", "email.*", "domain.*", "*", "refund.succeeded", "sms.*"])("%s", (name) => {
    expect(checkEvents([name, name])).toEqual([name]);
  });

  test.each(["order", "orders.paid", "order.paid.*", "payment.session.*", "**", "", "email.deliverd"])("not %s", (name) => {
    expect(() => checkEvents([name])).toThrow(expect.objectContaining({ code: "parameter_invalid" }));
  });
});

test("a filter admits names, families, and with * every event but three of high volume", () => {
  const leftOut = (wanted: string[] | null) => eventNames.filter((name) => !eventFilter(wanted, "event")(name));
  expect(leftOut(null)).toEqual([]);
  expect(leftOut(["*"])).toEqual(["email.queued", "email.opened", "email.clicked"]);
  expect(leftOut(["*", "email.opened"])).toEqual(["email.queued", "email.clicked"]);
  const admitted = eventNames.filter(eventFilter(["refund.*", "order.paid"], "event"));
  expect(admitted).toEqual(["order.paid", "refund.succeeded", "refund.failed"]);
});
