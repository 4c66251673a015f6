import { books } from "./books/feature.ts";
import { calls } from "./calls/feature.ts";
import { codes } from "./codes/feature.ts";
import { exceptions } from "./exceptions/feature.ts";
import type { Feature } from "./feature.ts";
import { gateways } from "./gateways/feature.ts";
import { keys } from "./keys/feature.ts";
import { limits } from "./limits/feature.ts";
import { messages } from "./messages/feature.ts";
import { numbers } from "./numbers/feature.ts";
import { operator } from "./operator/feature.ts";
import { orders } from "./orders/feature.ts";
import { overview } from "./overview/feature.ts";
import { prices } from "./prices/feature.ts";
import { receipts } from "./receipts/feature.ts";
import { review } from "./review/feature.ts";
import { security } from "./security/feature.ts";
import { settings } from "./settings/feature.ts";
import { sms } from "./sms/feature.ts";
import { team } from "./team/feature.ts";
import { transports } from "./transports/feature.ts";
import { verifications } from "./verifications/feature.ts";
import { webhooks } from "./webhooks/feature.ts";

/** The features of the dashboard, one per line. */
export const features: Feature[] = [
  overview,
  orders,
  review,
  exceptions,
  receipts,
  codes,
  gateways,
  keys,
  webhooks,
  messages,
  sms,
  calls,
  numbers,
  verifications,
  limits,
  team,
  security,
  settings,
  books,
  operator,
  transports,
  prices,
];
