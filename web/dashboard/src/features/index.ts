import type { Feature } from "../app/feature.ts";
import { orders } from "./orders/feature.ts";
import { overview } from "./overview/feature.ts";

/** Everything that the dashboard shows, one line a feature. */
export const features: Feature[] = [overview, orders];
