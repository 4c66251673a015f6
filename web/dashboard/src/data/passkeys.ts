import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { plainClient } from "./client.ts";

interface Options<T> {
  options: T;
}

/**
 * True if this browser can create passkeys here: it must support them, and the page must have been loaded over https or from this machine.
 */
export function knowsPasskeys(): boolean {
  return window.PublicKeyCredential !== undefined;
}

/** Creates a passkey on this device and stores it under a name. */
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

/** Confirms with a passkey that it is still the signed-in person. */
export async function confirmWithPasskey(): Promise<void> {
  const { options } = await plainClient.plain<Options<PublicKeyCredentialRequestOptionsJSON>>("POST /api/auth/passkey/sign-in-options");
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const passkey = await startAuthentication({ optionsJSON: options });
  await plainClient.plain("POST /api/auth/confirm", { body: { passkey } });
}

/** Why the browser created or used none: the person declined or waited too long, or it exists already. */
export function passkeyFault(error: unknown): "stopped" | "known" | null {
  if (!(error instanceof Error)) return null;
  const names = [error.name, error.cause instanceof Error ? error.cause.name : ""];
  if (names.includes("InvalidStateError")) return "known";
  return names.includes("NotAllowedError") || names.includes("AbortError") ? "stopped" : null;
}
