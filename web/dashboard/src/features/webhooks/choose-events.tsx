import { Checkbox } from "@mantine/core";
import { type Language, useWords } from "../../words/language.tsx";
import { webhookWords } from "./webhooks.words.ts";

type Family = keyof (typeof webhookWords)[Language]["families"];

const families: Record<Family, string[]> = {
  order: ["order.paid", "order.failed", "order.payment_pending_verify", "order.created", "order.expired", "order.verification_rejected"],
  payment: ["transaction.completed", "payment.session.created", "payment.session.failed", "payment.exception"],
  email: ["email.*", "email.delivered", "email.bounced", "email.complained", "email.failed", "email.opened", "email.clicked"],
  call: ["call.*", "call.completed", "call.busy", "call.no_answer", "call.failed", "call.gathered", "call.recording_ready"],
  verification: ["verification.*", "verification.approved", "verification.failed", "verification.expired", "verification.sent"],
  trust: [
    ...["domain.verified", "domain.failed", "number.approved", "number.rejected", "suppression.created", "suppression.deleted"],
    ...["messaging.cap_warning", "messaging.cap_reached", "messaging.paused", "messaging.released"],
  ],
};
const listed = new Set(Object.values(families).flat());

/** Which events an endpoint receives: all of them, or the selected ones. Names that aren't offered here don't change. */
export function ChooseEvents({ value, onChange }: { value: string[]; onChange(names: string[]): void }) {
  const words = useWords(webhookWords);
  const all = value.includes("*");
  const others = value.filter((name) => name !== "*" && !listed.has(name));
  const groups: [string, string[]][] = (Object.keys(families) as Family[]).map((family) => [words.families[family], families[family]]);
  return (
    <fieldset className="event-choice">
      <legend>{words.events}</legend>
      <Checkbox
        checked={all}
        label={words.everything}
        onChange={(event) => onChange(event.currentTarget.checked ? ["*", ...value] : value.filter((name) => name !== "*"))}
      />
      <Checkbox.Group value={value} onChange={onChange}>
        {[...groups, ...(others.length === 0 ? [] : [["…", others] as [string, string[]]])].map(([label, names]) => (
          <div key={label} className="event-family">
            <h3>{label}</h3>
            <div className="columns">
              {names.map((name) => (
                <Checkbox key={name} value={name} disabled={all && !name.startsWith("email.")} label={<code translate="no">{name}</code>} />
              ))}
            </div>
          </div>
        ))}
      </Checkbox.Group>
    </fieldset>
  );
}
