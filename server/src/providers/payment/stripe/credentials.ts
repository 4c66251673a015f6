import { type CredentialFault, CredentialsInvalid } from "#gateways/index.ts";

export interface StripeCredentials {
  secretKey: string;
  /** null until the merchant has added the webhook at Stripe. */
  webhookSecret: string | null;
  livemode: boolean;
}

/** Parses the fields of the form. Throws `CredentialsInvalid` with every fault at once. */
export function readCredentials(fields: Readonly<Record<string, string>>, { livemode }: { livemode: boolean }): StripeCredentials {
  const secretKey = fields["secret_key"]?.trim() ?? "";
  const webhookSecret = fields["webhook_secret"]?.trim() ?? "";
  const faults = [...faultsOfKey(secretKey, livemode), ...faultsOfWebhookSecret(webhookSecret)];
  if (faults.length > 0) throw new CredentialsInvalid(faults);
  return { secretKey, webhookSecret: webhookSecret === "" ? null : webhookSecret, livemode };
}

function faultsOfKey(key: string, livemode: boolean): CredentialFault[] {
  const field = "secret_key";
  if (key === "") return [{ field, reason: "required", message: "The secret key is missing." }];
  const mode = /^(?:sk|rk)_(test|live)_[A-Za-z0-9]{10,240}$/.exec(key)?.[1];
  if (mode === undefined) {
    const message = key.startsWith("pk_")
      ? "This is the publishable key. The secret key starts with sk_ or rk_."
      : "The secret key starts with sk_test_, sk_live_, rk_test_ or rk_live_, followed by letters and digits.";
    return [{ field, reason: "malformed", message }];
  }
  if ((mode === "live") === livemode) return [];
  return [{ field, reason: "wrong_environment", message: `This is a ${mode} key, but the environment is ${livemode ? "LIVE" : "TEST"}.` }];
}

function faultsOfWebhookSecret(secret: string): CredentialFault[] {
  if (secret === "" || /^whsec_[A-Za-z0-9+/=_-]{8,240}$/.test(secret)) return [];
  return [
    {
      field: "webhook_secret",
      reason: "malformed",
      message: "The webhook signing secret must start with whsec_, followed by letters and digits.",
    },
  ];
}
