import type { Objects } from "../../data/client.ts";
import { Badge, type Tone } from "../../parts/shown/status.tsx";
import { useWords } from "../../words/language.tsx";
import { operatorWords } from "./operator.words.ts";

type Status = Objects["MerchantOverview"]["verification_status"];

const tones: Record<Status, Tone> = { pending: "waiting", verified: "paid", rejected: "failed" };

/** Whether operators have verified a merchant. */
export function MerchantState({ status }: { status: Status }) {
  const words = useWords(operatorWords);
  return <Badge tone={tones[status]}>{words.states[status]}</Badge>;
}
