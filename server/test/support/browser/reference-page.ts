import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The API reference in a browser: its form of "Create an order". */
export function referencePage(origin: string) {
  return {
    async openCreateOrder(page: Page): Promise<void> {
      await page.goto(`${origin}/reference#tag/orders/POST/api/v1/projects/{projectId}/orders`);
      await page
        .getByRole("button", { name: /Test Request/i })
        .first()
        .click();
      await page.getByRole("button", { name: /^Send post request/i }).waitFor();
    },

    async expectTwoOrders(page: Page, project_id: string): Promise<void> {
      const [first, second] = [await send(page), await send(page)];
      for (const { status, order } of [first, second]) {
        expect(status, JSON.stringify(order)).toBe(201);
        expect(order).toMatchObject({ object: "order", project_id, livemode: false, amount_minor: 9900 });
      }
      expect(second.order.id).not.toBe(first.order.id);
      expect(second.order.reference).not.toBe(first.order.reference);
    },
  };
}

/** Presses "Send" and answers what the server said. */
async function send(page: Page) {
  const answered = page.waitForResponse((response) => response.request().method() === "POST" && response.url().includes("/orders"));
  await page.getByRole("button", { name: /^Send post request/i }).click();
  const response = await answered;
  return { status: response.status(), order: await response.json() };
}
