import type { Page } from "playwright-core";

const dayMs = 86_400_000;

/** Moves the message or call of the open page to the same time of the next day. */
export async function rescheduleByADay(page: Page, say: (english: string, chinese: string) => string): Promise<void> {
  const does = say("Reschedule", "更改时间");
  await page.getByRole("button", { name: does }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel(say("New time", "新的时间"));
  const before = await field.inputValue();
  await field.fill(new Date(Date.parse(`${before}Z`) + dayMs).toISOString().slice(0, 16));
  await dialog.getByRole("button", { name: does }).click();
  await dialog.waitFor({ state: "detached" });
}
