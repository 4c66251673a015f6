import { Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import type { Outgoing } from "./queue/use-outbox.ts";
import { reviewWords } from "./review.words.ts";

/** What was just decided and can still be undone: nothing is shown as done before the server confirms it. */
export function OutboxBar({ outgoing }: { outgoing: Outgoing }) {
  const words = useWords(reviewWords);
  const { locale } = useLanguage();
  const { order, body, state } = outgoing;
  useHotkeys([["u", outgoing.undo]]);
  const minor = Number(body["received_amount_minor"] ?? order.amount_minor);
  const what =
    body["decision"] === "approve"
      ? words.approving(order.reference, moneyText(locale, minor, order.currency))
      : words.rejecting(order.reference);
  return (
    <div className="outbox" role="status">
      <span>
        {what} <span className="soft">{state === "waiting" ? words.notSent : words.sending}</span>
      </span>
      {state === "waiting" ? (
        <Button variant="default" size="compact-md" leftSection={<IconArrowBackUp size={16} stroke={1.5} />} onClick={outgoing.undo}>
          {words.undo} <kbd>U</kbd>
        </Button>
      ) : null}
    </div>
  );
}
