import Type from "typebox";
import type { PasskeyRow } from "#identity/index.ts";
import { flag, instant, instantOrNull, languageField, oneOf, shape, strict, text } from "../fields/fields.ts";

const email = Type.String({ minLength: 3, maxLength: 254, description: "E-mail address.", examples: ["li@example.com"] });
const password = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });
const code = Type.String({ minLength: 4, maxLength: 32, description: "The code that the authenticator shows." });
const token = Type.String({ minLength: 1, maxLength: 1000, description: "The token of the link in the mail." });
const newPassword = Type.String({ minLength: 10, maxLength: 128, description: "At least 10 characters, and not easy to guess." });
const name = Type.String({ minLength: 1, maxLength: 100, description: "How the person is called." });
const language = languageField("Language of pages and mails.");

export const signUpIn = strict({
  email,
  password: newPassword,
  name,
  language: Type.Optional(language),
  merchant_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "The business. Default: the person's name." })),
});
export const signInIn = strict({
  email,
  password: password("The password."),
  remember: Type.Optional(Type.Boolean({ description: "False ends the session with the browser. Default: true." })),
});
export const addressIn = strict({ email });
export const tokenIn = strict({ token });
export const resetIn = strict({ token, new_password: newPassword });
export const changePasswordIn = strict({ current_password: password("The password so far."), new_password: newPassword });
export const passwordIn = strict({ password: password("The person's password, once more.") });
export const confirmationIn = strict({
  password: Type.Optional(password("The person's password.")),
  code: Type.Optional(code),
  passkey: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description: "The browser's answer, in its JSON form." }),
  ),
});
export type ConfirmationIn = Type.Static<typeof confirmationIn>;
export const codeIn = strict({
  code,
  trust_device: Type.Optional(Type.Boolean({ description: "Ask for no second step in this browser for 30 days." })),
});
export const acceptIn = strict({ token, name: Type.Optional(name), password: Type.Optional(newPassword), language: Type.Optional(language) });
export const meChangeIn = strict({ name: Type.Optional(name), language: Type.Optional(language) });

const done = <const What extends string>(what: What) => oneOf([what], `Always \`${what}\`.`);

export const signInSchema = shape("SignIn", "What came of an attempt to sign in. The session is in a cookie that no script can read.", {
  object: done("sign_in"),
  signed_in: flag("Whether the cookie now holds a session."),
  two_factor_required: flag("The password was right; now the second step is asked."),
});
export const signInOptionsSchema = shape("SignInOptions", "What this server offers before anybody signs in.", {
  object: done("sign_in_options"),
  sign_up: oneOf(["invite", "open"], "Whether people may open an account themselves."),
  sends_mail: flag("Whether mail leaves this server. Where it does not, links to confirm, reset and join are kept for its operator."),
});
export const doneSchema = shape("Done", "It is done.", { object: done("done") });
export const twoFactorSetupSchema = shape("TwoFactorSetup", "What an authenticator needs, once. Two-step sign-in is on as soon as a first code was verified.", {
  object: done("two_factor_setup"),
  totp_uri: text("For the QR code that authenticators scan."),
  recovery_codes: Type.Unsafe<string[]>({
    type: "array",
    items: { type: "string" },
    description: "Each opens the account once when the authenticator is lost.",
  }),
});
export const recoveryCodesSchema = shape("RecoveryCodes", "Codes that replace all earlier ones.", {
  object: done("recovery_codes"),
  recovery_codes: Type.Unsafe<string[]>({ type: "array", items: { type: "string" }, description: "Each opens the account once." }),
});
export const confirmationSchema = shape("Confirmation", "The person proved that it is them.", {
  object: done("confirmation"),
  confirmed_at: instant("When."),
  fresh_until: instant("Until when keys, secrets and codes may be changed."),
});
export const openInvitationSchema = shape("OpenInvitation", "What the holder of an invitation's link is asked.", {
  object: done("open_invitation"),
  merchant_name: text("Who asks."),
  email: text("Whom."),
  role: text("What they would be."),
  language: text("Language of the invitation."),
  has_account: flag("The address has an account: sign in first, then accept."),
  expires_at: instant("When the link ends."),
});

const opaque = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });

export const passkeyOptionsSchema = shape("PasskeyOptions", "What a page hands to the browser.", {
  object: done("passkey_options"),
  options: opaque("Options for `navigator.credentials`, in the JSON form of WebAuthn."),
});
export const passkeySchema = shape("Passkey", "A passkey of a person.", {
  id: text("The passkey's id."),
  object: done("passkey"),
  name: text("What the person calls it."),
  device_type: text("`singleDevice` or `multiDevice`."),
  backed_up: flag("Whether the person's other devices have it too."),
  last_used_at: instantOrNull("When it last signed them in."),
  created_at: instant("When it was added."),
});
export const passkeyIn = strict({
  name: Type.String({ minLength: 1, maxLength: 100, description: "What to call it." }),
  response: opaque("The browser's answer, in its JSON form."),
});
export const passkeyAnswerIn = strict({ response: opaque("The browser's answer, in its JSON form.") });

export interface PasskeyOptionsShape {
  object: "passkey_options";
  options: Record<string, unknown>;
}
export type PasskeyShape = ReturnType<typeof showPasskey>;

export function showPasskey({ id, name: called, device_type, backed_up, last_used_at, created_at }: PasskeyRow) {
  return { id, object: "passkey" as const, name: called, device_type, backed_up, last_used_at, created_at };
}

export interface SignInOptionsShape {
  object: "sign_in_options";
  sign_up: "invite" | "open";
  sends_mail: boolean;
}
export interface SignInShape {
  object: "sign_in";
  signed_in: boolean;
  two_factor_required: boolean;
}
export interface DoneShape {
  object: "done";
}
export interface TwoFactorSetupShape {
  object: "two_factor_setup";
  totp_uri: string;
  recovery_codes: string[];
}
export interface RecoveryCodesShape {
  object: "recovery_codes";
  recovery_codes: string[];
}
export interface ConfirmationShape {
  object: "confirmation";
  confirmed_at: Date;
  fresh_until: Date;
}
