import type { Objects } from "../../data/client.ts";

export type Figures = Objects["Figures"];
