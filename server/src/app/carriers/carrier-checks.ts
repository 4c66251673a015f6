import { type Ctx, isLoopbackUrl } from "#platform/index.ts";
import { type AccountTried, tryAccount } from "#providers/telephony/twilio/account/try-account.ts";
import { readSmsAccounts, type SmsAccount } from "#providers/telephony/twilio/sms/settings.ts";
import type { Settings } from "../config.ts";
import type { Finding } from "../doctor/checks.ts";

const check = "sms";

type Try = (account: SmsAccount) => Promise<AccountTried>;

/** Whether each carrier that is asked over HTTP knows us, and can tell us what became of messages. Without accounts there is nothing to say. */
export async function checkCarriers(
  ctx: Pick<Ctx, "egress">,
  { SMS_HTTP_URL, PUBLIC_URL }: Pick<Settings, "SMS_HTTP_URL" | "PUBLIC_URL">,
  ask: Try = (account) => tryAccount(ctx, account, "/Messages.json"),
): Promise<Finding[]> {
  const accounts = SMS_HTTP_URL === null ? [] : readSmsAccounts(SMS_HTTP_URL);
  const tried = await Promise.all(accounts.map(async (account) => findingOf(account, await ask(account))));
  const isDeaf = isLoopbackUrl(PUBLIC_URL) && accounts.some(({ base }) => !isLoopbackUrl(base));
  return isDeaf ? [...tried, deaf] : tried;
}

const deaf: Finding = {
  check,
  state: "note",
  says: "carriers can't call back: PUBLIC_URL is an address of this machine alone, so messages stay sent and no reply comes in",
  mend: "Set PUBLIC_URL to the address that others reach this server by.",
};

function findingOf({ name, base }: SmsAccount, tried: AccountTried): Finding {
  const where = `${name} (${new URL(base).host})`;
  if (tried.state === "known") return { check, state: "fine", says: `the carrier ${where} knows our account` };
  return {
    check,
    state: "fault",
    says: `the carrier ${where} does not take our requests: ${tried.reason}`,
    mend: "Check its host, path, AccountSid and AuthToken in SMS_HTTP_URL, and that this machine may reach it. Until then messages wait or go another way.",
  };
}
