import { type Ctx, isLoopbackUrl } from "#platform/index.ts";
import type { CarrierAccount } from "#providers/telephony/twilio/account/read-accounts.ts";
import { type AccountTried, tryAccount } from "#providers/telephony/twilio/account/try-account.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import type { Settings } from "../config.ts";
import type { Finding } from "../doctor/checks.ts";

type Named = Pick<Settings, "SMS_HTTP_URL" | "VOICE_HTTP_URL" | "PUBLIC_URL">;
/** Requests one entry of `list`, which changes nothing and costs nothing. */
type Try = (account: CarrierAccount, list: string) => Promise<AccountTried>;

/** Checks whether each HTTP carrier knows us, and can report what became of messages. Returns nothing without accounts. */
export async function checkCarriers(
  ctx: Pick<Ctx, "egress">,
  { SMS_HTTP_URL, VOICE_HTTP_URL, PUBLIC_URL }: Named,
  ask: Try = (account, list) => tryAccount(ctx, account, list),
): Promise<Finding[]> {
  const sms = SMS_HTTP_URL === null ? [] : readSmsAccounts(SMS_HTTP_URL);
  const voice = VOICE_HTTP_URL === null ? [] : readVoiceAccounts(VOICE_HTTP_URL);
  const tried = await Promise.all([
    ...sms.map(async (account) => findingOf(ofSms, account, await ask(account, "/Messages.json"))),
    ...voice.map(async (account) => findingOf(ofCalls, account, await ask(account, "/Calls.json"))),
  ]);
  const isDeaf = isLoopbackUrl(PUBLIC_URL) && sms.some(({ base }) => !isLoopbackUrl(base));
  return isDeaf ? [...tried, unreachable] : tried;
}

const ofSms = { check: "sms", setting: "SMS_HTTP_URL", until: "Until then, messages wait or use another route." };
const ofCalls = { check: "calls", setting: "VOICE_HTTP_URL", until: "Until then, calls fail or use another route." };

const unreachable: Finding = {
  check: ofSms.check,
  state: "note",
  message: "carriers can't send callbacks: PUBLIC_URL is an address of this machine only, so messages stay sent and replies don't arrive",
  fix: "Set PUBLIC_URL to the address at which others reach this server.",
};

function findingOf({ check, setting, until }: typeof ofSms, { name, base }: CarrierAccount, tried: AccountTried): Finding {
  const where = `${name} (${new URL(base).host})`;
  if (tried.state === "known") return { check, state: "fine", message: `the carrier ${where} knows our account` };
  return {
    check,
    state: "fault",
    message: `the carrier ${where} doesn't accept our requests: ${tried.reason}`,
    fix: `Check its host, path, AccountSid and AuthToken in ${setting}, and that this machine can reach it. ${until}`,
  };
}
