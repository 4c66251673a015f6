import type { TransportBoard } from "#messaging/index.ts";
import type { Answer } from "#providers/telephony/twilio/account/answer.ts";
import type { VoiceAccountHealth } from "#providers/telephony/twilio/voice/create-voice-transport.ts";
import { watchAccounts } from "../carriers/watch-accounts.ts";

/** Puts accounts that place calls on the board; the returned function takes the result of asking one to place a call. */
export function watchVoiceAccounts(
  board: TransportBoard,
  accounts: readonly { name: string }[],
  health: () => VoiceAccountHealth[],
): (account: string, answer: Answer) => void {
  const look = () => health().map(({ name, calls, channels }) => ({ name, inFlight: calls, capacity: channels }));
  const watched = watchAccounts(board, "call", { names: accounts.map(({ name }) => name), look });
  return (account, answer) => {
    // Every call fails in the same way until an operator corrects the account.
    const isAccount = answer.kind === "deferred" && answer.isAccount;
    if (isAccount) watched.down(account, "The carrier doesn't accept this server's account.", null);
    watched.answered(account, {
      result: answer.kind === "done" ? "accepted" : answer.kind === "refused" ? "refused" : "failed",
      reason: isAccount ? null : reasonOf(answer),
    });
  };
}

function reasonOf(answer: Answer): string | null {
  if (answer.kind === "deferred" || answer.kind === "refused") return answer.message;
  if (answer.kind === "unknown") return `The carrier's response was lost: ${answer.reason}.`;
  return answer.kind === "held" ? `The carrier accepted no requests: ${answer.reason}.` : null;
}
