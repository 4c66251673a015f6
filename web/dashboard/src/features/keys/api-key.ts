import type { Objects } from "../../data/client.ts";

export type ApiKey = Objects["ApiKey"];
