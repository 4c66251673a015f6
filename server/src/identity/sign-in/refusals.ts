import { type AppError, platformErrors, type ReasonValues } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";

const invalid = (given: { param: string; reason: string; message: string; values?: ReasonValues }) =>
  platformErrors.parameter_invalid(given);
const wrong = (message: string) => identityErrors.authentication_required({ message });

const wrongCode = "This code is wrong, or has already been used.";

const weak = { param: "password" };
const ended = () => invalid({ param: "token", reason: "link_ended", message: "This link is no longer valid. Request a new one." });

/** Refusals of the sign-in library, with our messages and codes. */
const refusals: Record<string, (passwordParam: string) => AppError> = {
  INVALID_EMAIL_OR_PASSWORD: () => wrong("The email address or password is wrong."),
  INVALID_PASSWORD: (param) => invalid({ param, reason: "password_wrong", message: "The password is wrong." }),
  INVALID_EMAIL: () => invalid({ param: "email", reason: "not_an_email", message: "This isn't an email address." }),
  PASSWORD_TOO_SHORT: () =>
    invalid({
      ...weak,
      reason: "password_too_short",
      values: { min: 10 },
      message: "The password is too short: use at least 10 characters.",
    }),
  PASSWORD_TOO_LONG: () =>
    invalid({ ...weak, reason: "password_too_long", values: { max: 128 }, message: "The password is too long: use up to 128 characters." }),
  EMAIL_NOT_VERIFIED: () =>
    platformErrors.permission_denied({
      message: "Confirm your email address first: open the link in the email that was sent to it.",
      fields: { reason: "email_not_verified" },
    }),
  INVALID_TOKEN: () => ended(),
  TOKEN_EXPIRED: () => ended(),
  USER_NOT_FOUND: () => ended(),
  EMAIL_PASSWORD_SIGN_UP_DISABLED: () => platformErrors.permission_denied({ message: "You need an invitation to create an account here." }),
  INVALID_CODE: () => wrong(wrongCode),
  INVALID_BACKUP_CODE: () => wrong(wrongCode),
  INVALID_TWO_FACTOR_COOKIE: () => wrong("Sign in with your email address and password first."),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () => wrong("Too many wrong codes. Sign in with your email address and password again."),
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    platformErrors.rate_limited({ message: "Too many wrong codes. Wait fifteen minutes.", headers: { "retry-after": "900" } }),
  TOTP_ALREADY_ENABLED: () => platformErrors.parameter_conflict({ reason: "two_step_on", message: "Two-step sign-in is already on." }),
  TOTP_NOT_ENABLED: () => platformErrors.parameter_conflict({ reason: "two_step_off", message: "Two-step sign-in isn't set up." }),
  TWO_FACTOR_NOT_ENABLED: () => platformErrors.parameter_conflict({ reason: "two_step_off", message: "Two-step sign-in isn't on." }),
  BACKUP_CODES_NOT_ENABLED: () => platformErrors.parameter_conflict({ reason: "two_step_off", message: "Two-step sign-in isn't on." }),
};

const byStatus: Record<number, () => AppError> = {
  401: () => identityErrors.authentication_required(),
  403: () => platformErrors.permission_denied(),
  404: () => platformErrors.route_missing(),
  // Two recovery codes at the same moment: the other one was accepted.
  409: () => wrong(wrongCode),
  429: () => platformErrors.rate_limited(),
};

/** Converts a refusal of the library to an error. `passwordParam` is the request's field for the person's current password. */
export function refusalOf(status: number, body: Record<string, unknown>, passwordParam = "password"): AppError {
  const make = refusals[String(body["code"])] ?? byStatus[status] ?? (() => platformErrors.parameter_invalid());
  return make(passwordParam);
}
