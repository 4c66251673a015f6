import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { listGateways } from "#gateways/index.ts";
import { readPace, readTierCaps } from "#guards/index.ts";
import { listChannels, readTierLimits } from "#messaging/index.ts";
import { isAddressRange, readMasterKeys } from "#platform/index.ts";
import { channels } from "./channels.ts";
import { gateways } from "./gateways.ts";

/** A URL with a host and without a path. */
export function originFault(value: string): string | null {
  return addressFault(value) ?? (new URL(value).pathname === "/" ? null : "must be an address without a path");
}

/** An http or https URL that can be given to others. */
export function addressFault(value: string): string | null {
  const url = URL.parse(value);
  const fine = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "" && url.hash === "";
  return fine ? null : "must be an http or https address without user, query or fragment";
}

/** A URL of PostgreSQL. */
export function databaseFault(value: string): string | null {
  return /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? "") ? null : "must start with postgres:// and have a host and a database";
}

/** A URL of Redis or Valkey. */
export function redisFault(value: string): string | null {
  const url = URL.parse(value);
  return /^rediss?:$/.test(url?.protocol ?? "") && (url?.hostname ?? "") !== ""
    ? null
    : "must start with redis:// or rediss:// and have a host";
}

/** Changes to the tiers' limits per window. */
export function tiersFault(value: string[]): string | null {
  const wrong = value.find((change) => isRefused(() => readTierLimits(channels, [change])));
  return wrong === undefined ? null : `must be changes such as enterprise.general=20000 (${JSON.stringify(wrong)} isn't one)`;
}

/** Changes to the tiers' limits per day. */
export function quotasFault(value: string[]): string | null {
  const wrong = value.find((change) => isRefused(() => listChannels(channels, [change])));
  return wrong === undefined ? null : `must be changes such as enterprise.emails=50000000 (${JSON.stringify(wrong)} isn't one)`;
}

/** Changes to the spending caps of the tiers' projects. */
export function capsFault(value: string[]): string | null {
  const wrong = value.find((change) => isRefused(() => readTierCaps([change])));
  return wrong === undefined ? null : `must be changes such as free.daily_spend_micros=5000000 (${JSON.stringify(wrong)} isn't one)`;
}

/** Changes to how much one recipient may get. */
export function paceFault(value: string[]): string | null {
  const wrong = value.find((change) => isRefused(() => readPace([change])));
  return wrong === undefined ? null : `must be changes such as sms=5/600 (${JSON.stringify(wrong)} isn't one)`;
}

/** Other URLs of payment providers. */
export function gatewayUrlsFault(value: string[]): string | null {
  const wrong = value.find((url) => isRefused(() => listGateways(gateways, { urls: [url] })));
  return wrong === undefined
    ? null
    : `must be addresses of gateways such as <gateway>.test=http://localhost:9000 (${JSON.stringify(wrong)} isn't one)`;
}

/** A URL of an SMTP server. */
export function relayFault(value: string): string | null {
  const url = URL.parse(value);
  return /^smtps?:$/.test(url?.protocol ?? "") && (url?.hostname ?? "") !== ""
    ? null
    : "must start with smtp:// or smtps:// and have a host";
}

/** A public key that `age` encrypts to. */
export function recipientFault(value: string): string | null {
  return /^age1[02-9ac-hj-np-z]{58}$/.test(value) ? null : "must be a public key of 62 characters that starts with age1";
}

/** Only a host name. */
export function hostFault(value: string): string | null {
  return URL.parse(`https://${value}/`)?.host === value.toLowerCase() ? null : "must be a host name such as example.com";
}

/** Host names and IP addresses without a port. */
export function hostsFault(value: string[]): string | null {
  const wrong = value.find((host) => URL.parse(`http://${host}/`)?.hostname !== host.toLowerCase());
  return wrong === undefined
    ? null
    : `must be host names or IP addresses without port, IPv6 in brackets (${JSON.stringify(wrong)} is neither)`;
}

/** Master keys. */
export function masterKeysFault(value: string): string | null {
  try {
    readMasterKeys(value);
    return null;
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}

/** An instant with its time zone. */
export function instantFault(value: string): string | null {
  return /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)) ? null : "must be a time such as 2027-01-31T00:00:00Z";
}

/** IP addresses and CIDR ranges. */
export function rangesFault(value: string[]): string | null {
  const wrong = value.find((range) => !isAddressRange(range));
  return wrong === undefined ? null : `must be addresses or CIDR ranges (${JSON.stringify(wrong)} is neither)`;
}

/** Proxy addresses: trusting everyone would let each caller choose the address that limits and keys check. */
export function proxiesFault(value: string[]): string | null {
  const everybody = value.find((range) => /\/0+$/.test(range));
  return rangesFault(value) ?? (everybody === undefined ? null : `must name your proxies (${JSON.stringify(everybody)} is everyone)`);
}

/** A DNS domain. */
export function domainFault(value: string): string | null {
  const ascii = domainToASCII(value);
  const fine =
    ascii.length > 0 && ascii.length <= 253 && ascii.split(".").every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return fine ? null : "must be a domain name such as example.com";
}

/** The name that a host announces to other mail servers: its name, or its address in brackets. */
export function heloFault(value: string): string | null {
  const [, address] = /^\[(?:IPv6:)?([0-9a-f:.]+)\]$/i.exec(value) ?? [];
  return (address !== undefined && isIP(address) !== 0) || domainFault(value) === null
    ? null
    : "must be a host name such as mail.example.com";
}

function isRefused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}
