import { GatewayError } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Compared } from "./fit.ts";

/** After its list was read this many times, some thirteen hours, a day is compared without what the provider doesn't say about one line. */
const patientAttempts = 5;

interface Asking<T> {
  question: () => Promise<T>;
  /** Errors that the provider would only repeat: they count as if it said nothing. */
  refusals: readonly GatewayError["kind"][];
}

/**
 * What a provider says about one line of its list; null if it doesn't say: it refuses to, or it has failed to in several attempts to
 * compare the day. Otherwise throws GatewayError, and the day is compared again later. One line never keeps all later days from being
 * compared.
 */
export async function askAboutLine<T>(ctx: Ctx, account: Compared, { question, refusals }: Asking<T>): Promise<T | null> {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // While the account's breaker is open, the provider isn't asked at all.
    const isPatient = account.attempts < patientAttempts || error.code === "breaker_open";
    if (isPatient && !refusals.includes(error.kind)) throw error;
    const { gateway, credential_id: credential } = account;
    ctx.log.warn({ gateway, credential, error: { code: error.code, message: error.message } }, "a provider doesn't say what it listed");
    return null;
  }
}
