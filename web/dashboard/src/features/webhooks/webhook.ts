import type { Objects } from "../../data/client.ts";

export type Webhook = Objects["Webhook"];
