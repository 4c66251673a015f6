import { type Ctx, notice, type Tx } from "#platform/index.ts";
import { deviceName } from "./device-name.ts";
import { insertDevice } from "./sql.ts";

/** Notifies a person of a sign-in with a kind of device that they haven't used before, except for their first sign-in. */
export async function noteDevice(
  tx: Tx,
  ctx: Ctx,
  given: { person_id: string; userAgent: string | undefined; address: string },
): Promise<void> {
  const { person_id, userAgent, address } = given;
  const now = ctx.now();
  const device = deviceName(userAgent);
  const { fresh, known } = await insertDevice(tx, { person_id, device });
  if (!fresh || known === 0) return;
  const params = { at: now, device: device === "unknown" ? null : device, address };
  await notice(tx, ctx, { kind: "sign_in_alert", recipient: person_id, params });
}
