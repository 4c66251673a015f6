export { fallbackMin } from "./accept/check-start.ts";
export { allowed as verificationAllowance, startVerification } from "./accept/start-verification.ts";
export { cancelVerification } from "./change/cancel-verification.ts";
export { checkCode, checkNewestCode } from "./change/check-code.ts";
export { resendCode } from "./change/resend-code.ts";
export { verificationTasks } from "./due/verification-tasks.ts";
export { verificationErrors } from "./errors.ts";
export type { ConversionRow } from "./read/conversion.sql.ts";
export { findConversion } from "./read/find-conversion.ts";
export { findPendingVerification, findVerification, listVerifications } from "./read/find-verification.ts";
export {
  type CodeChannel,
  codeChannels,
  sendCauses,
  showSent,
  templateNames,
  type VerificationInput,
  type VerificationRow,
} from "./shapes.ts";
export { verificationStatuses } from "./states.ts";
