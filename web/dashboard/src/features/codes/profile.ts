import type { Objects } from "../../data/client.ts";

export type Profile = Objects["CollectionProfile"];
export type Channel = Profile["channel"];
