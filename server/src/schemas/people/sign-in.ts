import Type from "typebox";
import type { PasskeyRow } from "#identity/index.ts";
import { flag, instant, instantOrNull, languageField, oneOf, shape, strict, text } from "../fields/fields.ts";

const email = Type.String({ minLength: 3, maxLength: 254, description: "Email address.", examples: ["li@example.com"] });
const password = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });
const code = Type.String({ minLength: 4, maxLength: 32, description: "The code the authenticator shows." });
const token = Type.String({ minLength: 1, maxLength: 1000, description: "The token from the link in the email." });
const newPassword = Type.String({ minLength: 10, maxLength: 128, description: "At least 10 characters, and not easy to guess." });
const name = Type.String({ minLength: 1, maxLength: 100, description: "The person's name." });
const language = languageField("The language of pages and emails.");

export const signUpIn = strict({
  email,
  password: newPassword,
  name,
  language: Type.Optional(language),
  merchant_name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "The business's name. Defaults to the person's name." }),
  ),
});
export const signInIn = strict({
  email,
  password: password("The password."),
  remember: Type.Optional(Type.Boolean({ description: "`false` ends the session when the browser closes. Defaults to `true`." })),
});
export const addressIn = strict({ email });
export const tokenIn = strict({ token });
export const resetIn = strict({ token, new_password: newPassword });
export const changePasswordIn = strict({ current_password: password("The current password."), new_password: newPassword });
export const passwordIn = strict({ password: password("The person's password again.") });
export const confirmationIn = strict({
  password: Type.Optional(password("The person's password.")),
  code: Type.Optional(code),
  passkey: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "The browser's response in JSON form.",
    }),
  ),
});
export type ConfirmationIn = Type.Static<typeof confirmationIn>;
export const codeIn = strict({
  code,
  trust_device: Type.Optional(Type.Boolean({ description: "Don't require a second step in this browser for 30 days." })),
});
export const acceptIn = strict({
  token,
  name: Type.Optional(name),
  password: Type.Optional(newPassword),
  language: Type.Optional(language),
});
export const meChangeIn = strict({ name: Type.Optional(name), language: Type.Optional(language) });

const done = <const What extends string>(what: What) => oneOf([what], `Always \`${what}\`.`);

export const signInSchema = shape("SignIn", "The result of an attempt to sign in. The session is in a cookie that scripts can't read.", {
  object: done("sign_in"),
  signed_in: flag("Whether the cookie now contains a session."),
  two_factor_required: flag("True if the password was correct and the second step is now required."),
});
export const signInOptionsSchema = shape("SignInOptions", "What this server offers to people who aren't signed in.", {
  object: done("sign_in_options"),
  sign_up: oneOf(["invite", "open"], "Whether people can create an account themselves."),
  sends_mail: flag("Whether this server sends email. If it doesn't, links to confirm, reset and join are stored for its operator."),
});
export const doneSchema = shape("Done", "The request succeeded.", { object: done("done") });
export const twoFactorSetupSchema = shape(
  "TwoFactorSetup",
  "What an authenticator needs, shown once. Two-step sign-in is on as soon as a first code has been verified.",
  {
    object: done("two_factor_setup"),
    totp_uri: text("For the QR code that authenticators scan."),
    recovery_codes: Type.Unsafe<string[]>({
      type: "array",
      items: { type: "string" },
      description: "Each works once if the authenticator is lost.",
    }),
  },
);
export const recoveryCodesSchema = shape("RecoveryCodes", "Recovery codes that replace all earlier ones.", {
  object: done("recovery_codes"),
  recovery_codes: Type.Unsafe<string[]>({ type: "array", items: { type: "string" }, description: "Each works once." }),
});
export const confirmationSchema = shape("Confirmation", "A confirmation of the person's identity.", {
  object: done("confirmation"),
  confirmed_at: instant("When they confirmed it."),
  fresh_until: instant("Until when keys, secrets and codes can be changed."),
});
export const openInvitationSchema = shape("OpenInvitation", "An invitation, as shown to the person who has its link.", {
  object: done("open_invitation"),
  merchant_name: text("The merchant's name."),
  email: text("The address that was invited."),
  role: text("The role they would have."),
  language: text("Language of the invitation."),
  has_account: flag("Whether the address has an account. If so, sign in first, then accept."),
  expires_at: instant("When the link expires."),
});

const opaque = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });

export const passkeyOptionsSchema = shape("PasskeyOptions", "Options for the browser.", {
  object: done("passkey_options"),
  options: opaque("Options for `navigator.credentials`, in the JSON form of WebAuthn."),
});
export const passkeySchema = shape("Passkey", "A person's passkey.", {
  id: text("The passkey's ID."),
  object: done("passkey"),
  name: text("The name the person gave it."),
  device_type: text("`singleDevice` or `multiDevice`."),
  backed_up: flag("Whether it's synced to the person's other devices."),
  last_used_at: instantOrNull("When it was last used to sign in."),
  created_at: instant("When it was added."),
});
export const passkeyIn = strict({
  name: Type.String({ minLength: 1, maxLength: 100, description: "A name for it." }),
  response: opaque("The browser's response in JSON form."),
});
export const passkeyAnswerIn = strict({ response: opaque("The browser's response in JSON form.") });

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
