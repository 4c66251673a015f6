import { newEmail } from "#test/support/mail/mail.ts";
import type { KnownShop } from "#test/support/upgrade/known.ts";
import { ask } from "./ask.ts";
import type { Done } from "./done.ts";
import type { SideBySide } from "./world.ts";

/** The stored database's LIVE shop that sends email. */
const senderOf = (world: SideBySide) => world.known.shops[7] as KnownShop;
/** The domain of all recipients. */
export const mailDomain = "@readers.dev";
/** Long enough to be stored in parts, as texts of large requests are. */
const longText = "Thank you for your order. ".repeat(8_000);

type MakeAddress = (mark: string, comes?: boolean) => string;

/**
 * One email now, and in turn a batch, a long one with a file, a scheduled one, and a scheduled one that is canceled at the other program.
 */
export async function sendMails(world: SideBySide, done: Done, n: number): Promise<void> {
  const shop = senderOf(world);
  const to: MakeAddress = (mark, comes = true) => {
    done.mails.push({ to: `${mark}-${n}${mailDomain}`, comes });
    return `${mark}-${n}${mailDomain}`;
  };
  await sendTwice(world, { n, key: `mail-${n}`, email: newEmail({ to: to("one") }) });
  const kind = Math.floor(n / 2) % 4;
  if (kind === 1) {
    const body = ["batch-a", "batch-b", "batch-c"].map((mark) => newEmail({ to: to(mark) }));
    await ask(world, n, { path: "/v1/emails/batch", shop, body, headers: { "idempotency-key": `batch-${n}` }, status: 201 });
  }
  if (kind === 2) {
    const attachments = [{ filename: "a.txt", content: Buffer.from("hello").toString("base64") }];
    // The older version takes the newer one's key of a large request for another request's.
    await sendTwice(world, {
      n,
      again: n,
      key: `long-${n}`,
      email: newEmail({ to: to("long"), text: longText, html: `<p>${longText}</p>`, attachments }),
    });
  }
  if (kind === 3) await sendLater(world, { n, to });
}

/** With one key at both programs, or twice at one; then both show it. */
async function sendTwice(
  world: SideBySide,
  { n, key, email, again: other = n + 1 }: { n: number; key: string; email: object; again?: number },
): Promise<void> {
  const shop = senderOf(world);
  const call = { path: "/v1/emails", shop, body: email, headers: { "idempotency-key": key }, status: 201 };
  const first = await ask(world, n, call);
  const again = await ask(world, other, call);
  if (first.body.id !== again.body.id) world.faults.add("one idempotency key made two e-mails");
  for (const turn of [n, n + 1]) await ask(world, turn, { path: `/v1/emails/${first.body.id}`, shop });
}

async function sendLater(world: SideBySide, { n, to }: { n: number; to: MakeAddress }): Promise<void> {
  const shop = senderOf(world);
  const soon = new Date(Date.now() + 5_000).toISOString();
  await ask(world, n, { path: "/v1/emails", shop, body: newEmail({ to: to("soon"), scheduled_at: soon }), status: 201 });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = (
    await ask(world, n, { path: "/v1/emails", shop, body: newEmail({ to: to("never", false), scheduled_at: later }), status: 201 })
  ).body;
  await ask(world, n + 1, { path: `/v1/emails/${id}/cancel`, shop, body: {} });
}
