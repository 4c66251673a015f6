import { createMerchant, listMerchants, setMerchantVerification } from "#identity/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { runAlongside } from "./process/run-alongside.ts";

const shownMax = 100;

export async function run(settings: Settings, given: Given): Promise<number> {
  return runAlongside(settings, (ctx) => execute(ctx, given));
}

async function execute(ctx: Ctx, { values, words }: Given): Promise<string> {
  const [verb = "list", id] = words;
  if (verb === "list") return list(ctx);
  if (verb === "create") {
    const name = values["name"];
    if (typeof name !== "string" || name.trim() === "") throw new Error('What is it called? merchants create --name "<name>"');
    const merchant = await createMerchant(ctx, {
      display_name: name.trim(),
      ...(typeof values["country"] === "string" ? { country: values["country"] } : {}),
    });
    return `${merchant.id}  ${merchant.display_name}\n\nNext: projects create --merchant ${merchant.id} --name "<name>"`;
  }
  if (verb === "verify" && id !== undefined) {
    const merchant = await setMerchantVerification(ctx, { merchant_id: id, status: "verified" });
    return `${merchant.id} is verified: it can use the LIVE environment.`;
  }
  throw new Error(
    verb === "verify" ? "Which merchant? merchants verify <merchant id>" : `merchants can list, create and verify, not ${verb}.`,
  );
}

async function list(ctx: Ctx): Promise<string> {
  const { rows, has_more } = await listMerchants(ctx, { limit: shownMax, status: [], q: null });
  if (rows.length === 0) return 'No merchants. merchants create --name "<name>" makes one.';
  const lines = rows.map((row) => `${row.id}  ${row.verification_status.padEnd(10)}  ${row.display_name}`);
  return [...lines, ...(has_more ? [`Only the newest ${shownMax} are shown.`] : [])].join("\n");
}
