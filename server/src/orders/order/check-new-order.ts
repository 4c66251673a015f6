import { type ErrorDetail, platformErrors, readCurrency, refuseCardMetadata, type Tenant } from "#platform/index.ts";
import type { Customer } from "../shapes.ts";

export interface OrderInput {
  amount_minor: number;
  /** ISO 4217, upper or lower case. */
  currency: string;
  reference?: string;
  description?: string | null;
  metadata?: Record<string, string>;
  customer?: Customer;
  return_url?: string | null;
  locale?: string;
  /** Seconds from now. */
  expires_in?: number;
}

/** Rules that no schema can express; returns the currency in upper case. Throws all errors at once. */
export function checkNewOrder(tenant: Tenant, input: OrderInput): string {
  const details: ErrorDetail[] = [];
  const currency = readCurrency(input.currency);
  if (currency === null)
    details.push({
      param: "currency",
      code: "unsupported_currency",
      reason: "not_a_currency",
      message: "The currency isn't an ISO 4217 code.",
    });
  if (input.return_url != null && !isReturnUrl(input.return_url, tenant.livemode)) {
    details.push({
      param: "return_url",
      code: "parameter_invalid",
      reason: "not_a_return_address",
      message: "The return address must be https, or http on localhost in TEST.",
    });
  }
  const tooMuch = metadataFault(input.metadata);
  if (tooMuch !== null) details.push(tooMuch);
  const [first] = details;
  if (first !== undefined || currency === null) {
    const make = details.every((detail) => detail.code === "unsupported_currency")
      ? platformErrors.unsupported_currency
      : platformErrors.parameter_invalid;
    throw make({ ...(first === undefined ? {} : { param: first.param, message: first.message }), details });
  }
  refuseCardMetadata(input.metadata ?? {});
  return currency;
}

/** Limits of metadata that no schema can express: its total size. */
export function metadataFault(metadata: Record<string, string> | undefined): ErrorDetail | null {
  if (metadata === undefined || Buffer.byteLength(JSON.stringify(metadata)) <= 16_384) return null;
  return { param: "metadata", code: "parameter_invalid", reason: "metadata_too_large", message: "Metadata can be up to 16 KB in total." };
}

function isReturnUrl(text: string, livemode: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || text.length > 2048) return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && !livemode && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}
