import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { plainClient } from "./client.ts";

interface Options<T> {
  options: T;
}

/** Whether this browser makes passkeys here: it must know them, and the page must have come over https or from this machine. */
export function knowsPasskeys(): boolean {
  return window.PublicKeyCredential !== undefined;
}

/** Makes a passkey on this device and keeps it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await plainClient.plain<Options<PublicKeyCredentialCreationOptionsJSON>>("POST /api/auth/passkey/register-options");
  const { startRegistration } = await import("@simplewebauthn/browser");
  const response = await startRegistration({ optionsJSON: options });
  await plainClient.plain("POST /api/auth/passkey/register", { body: { name, response } });
}

/** Signs in the person of the passkey. */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await plainClient.plain<Options<PublicKeyCredentialRequestOptionsJSON>>("POST /api/auth/passkey/sign-in-options");
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const response = await startAuthentication({ optionsJSON: options });
  await plainClient.plain("POST /api/auth/passkey/sign-in", { body: { response } });
}

/** Proves once more, by passkey, that it is the signed-in person. */
export async function confirmWithPasskey(): Promise<void> {
  const { options } = await plainClient.plain<Options<PublicKeyCredentialRequestOptionsJSON>>("POST /api/auth/passkey/sign-in-options");
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const passkey = await startAuthentication({ optionsJSON: options });
  await plainClient.plain("POST /api/auth/confirm", { body: { passkey } });
}

/** Why the browser made or used none: the person said no or waited too long, or it is there already. */
export function passkeyFault(error: unknown): "stopped" | "known" | null {
  if (!(error instanceof Error)) return null;
  const names = [error.name, error.cause instanceof Error ? error.cause.name : ""];
  if (names.includes("InvalidStateError")) return "known";
  return names.includes("NotAllowedError") || names.includes("AbortError") ? "stopped" : null;
}
