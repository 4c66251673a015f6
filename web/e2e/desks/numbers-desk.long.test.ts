import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { numbersDesk } from "../../../server/test/support/desks/numbers-desk.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const timeLimit = 240_000;
const { open, people, askForNumber, approveNarrowed, refused } = numbersDesk(dashboard);

test(
  "a merchant requests a number, which an operator narrows and approves",
  async () => {
    const { shop, seller, operator } = await people();
    const theirs = await open(seller, "/numbers");
    await askForNumber(theirs.page);
    const ours = await open(operator, "/operator/numbers");
    await approveNarrowed(ours.page);
    await theirs.page.reload();
    await theirs.page.locator(".badge", { hasText: say("Approved", "已通过") }).waitFor();
    await expectAccessible(theirs.page);
    expect((await app.api(shop.key).get("/v1/numbers")).body.data).toMatchObject([
      { value: "+14155552671", channels: ["sms"], status: "approved" },
    ]);
    expect([...theirs.complaints, ...ours.complaints].filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);
