import { Button, Radio } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { moneyText, parseAmount } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Outcome } from "./outcome.tsx";
import { approvalOf, type Expected, usualSum, type Weighed } from "./queue/expected.ts";
import { reviewWords } from "./review.words.ts";

export interface AskApproveProps {
  payment: Weighed;
  /** True if the reviewer said that another amount arrived. */
  other: boolean;
  onClose(): void;
  onReject(): void;
  onApprove(body: Record<string, unknown>): Promise<void> | void;
}

type Choice = "reported" | "expected" | "other" | null;

/** Asks before something unusual is approved: what is unusual, and which amount arrived. Nothing is preselected. */
export function AskApprove({ payment, other, onClose, onReject, onApprove }: AskApproveProps) {
  const words = useWords(reviewWords);
  const { locale } = useLanguage();
  const { expected, currency } = payment;
  const asksSum = other || expected.differs;
  const [choice, setChoice] = useState<Choice>(other ? "other" : null);
  const [text, setText] = useState("");
  const sum = asksSum ? sumOf(choice, expected, parseAmount(text, currency)) : usualSum(expected);
  return (
    <Ask
      title={asksSum ? words.askSum : words.askAnyway(payment.reference)}
      open
      onClose={onClose}
      does={sum === null ? words.approve : words.approveSum(moneyText(locale, sum, currency))}
      disabled={sum === null}
      onDo={async () => onApprove(approvalOf(expected, sum ?? 0))}
    >
      <Odd flags={payment.flags} />
      {asksSum ? <ChooseSum payment={payment} choice={choice} onChoose={setChoice} text={text} onWrite={setText} /> : null}
      <Outcome expected={expected} currency={currency} minor={sum} />
      <Button variant="subtle" color="failed" style={{ alignSelf: "flex-start" }} onClick={onReject}>
        {words.rejectInstead}
      </Button>
    </Ask>
  );
}

interface ChooseSumProps {
  payment: Weighed;
  choice: Choice;
  onChoose(choice: Choice): void;
  text: string;
  onWrite(text: string): void;
}

function ChooseSum({ payment, choice, onChoose, text, onWrite }: ChooseSumProps) {
  const words = useWords(reviewWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const { currency } = payment;
  const { reportedMinor, requestedMinor, differs } = payment.expected;
  const money = (minor: number) => moneyText(locale, minor, currency);
  const isBad = text !== "" && parseAmount(text, currency) === null;
  return (
    <>
      <p className="soft">
        {reportedMinor === null ? words.wasExpected(money(requestedMinor)) : words.reportedFor(money(reportedMinor), money(requestedMinor))}
      </p>
      <Radio.Group value={choice} onChange={(value) => onChoose(value as Choice)} aria-label={words.askSum}>
        <div className="form">
          {differs ? <Radio value="reported" label={words.sumReported(money(reportedMinor ?? 0))} /> : null}
          <Radio value="expected" label={words.sumExpected(money(requestedMinor))} />
          <Radio value="other" label={words.sumOther} />
        </div>
      </Radio.Group>
      {choice === "other" ? (
        <Field
          label={all.labeled(words.received, currency)}
          inputMode="decimal"
          data-autofocus
          value={text}
          error={isBad ? all.badAmount : undefined}
          onWrite={onWrite}
        />
      ) : null}
    </>
  );
}

function sumOf(choice: Choice, expected: Expected, typed: number | null): number | null {
  if (choice === "reported") return expected.reportedMinor;
  return choice === "expected" ? expected.requestedMinor : choice === "other" ? typed : null;
}

/** What looks wrong with a proof, in words. */
export function Odd({ flags }: { flags: string[] }) {
  const words = useWords(reviewWords);
  return flags.map((flag) => (
    <p key={flag} className="note" data-tone="failed">
      <IconAlertTriangle size={18} stroke={1.5} aria-hidden />
      {(words.flag as Record<string, string>)[flag] ?? flag}
    </p>
  ));
}
