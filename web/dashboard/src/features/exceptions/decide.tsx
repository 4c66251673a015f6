import { Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import { ApiError, type Objects } from "../../data/client.ts";
import { useTell } from "../../data/errors.tsx";
import { useAct, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { Field } from "../../parts/field.tsx";
import { Money, moneyText } from "../../parts/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { ChooseOrder } from "./choose-order.tsx";
import { exceptionWords } from "./exceptions.words.ts";
import { choicesOf } from "./outcomes.ts";

type Exception = Objects["PaymentException"];

/** Where the money of a case belongs. */
export function Decide({ exception, onClose }: { exception: Exception; onClose(): void }) {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const { given, set, needsOrder, missing, send } = useResolution(exception);
  const { status, isKnown } = useOrderStatus(exception.order_id);
  const choices = isKnown ? choicesOf(exception, status, words) : [];
  const { action, order, note } = given;
  const short = missing === null ? null : moneyText(locale, missing, exception.currency);
  return (
    <Ask
      title={words.kinds[exception.kind]}
      open
      onClose={onClose}
      does={short === null ? words.resolve : words.acceptShort(short)}
      onDo={send}
      say={(error) => (shortfallOf(error) === null || short === null ? null : words.shortOf(short))}
      disabled={action === null || (needsOrder && order === null)}
    >
      <Money minor={exception.amount_minor} currency={exception.currency} size={28} />
      {status === "canceled" ? <p className="soft">{words.canceled}</p> : null}
      <Radio.Group value={action} onChange={(one) => set({ action: one })} aria-label={words.resolve}>
        <div className="form">
          {choices.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} />
          ))}
        </div>
      </Radio.Group>
      {needsOrder ? <ChooseOrder exception={exception} value={order} onChoose={(id) => set({ order: id })} /> : null}
      {action === "refund" ? (
        <Field
          label={`${words.refundNumber} (${all.optional})`}
          maxLength={100}
          autoComplete="off"
          value={given.number}
          onWrite={(number) => set({ number })}
        />
      ) : null}
      <Textarea
        label={`${words.note} (${all.optional})`}
        description={words.noteHint}
        maxLength={500}
        value={note}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </Ask>
  );
}

/** What a decision does hangs on how the case's order stands. */
function useOrderStatus(id: string | null): { status: string | null; isKnown: boolean } {
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}", { path: { id: id ?? "" }, enabled: id !== null });
  return { status: read.data?.status ?? null, isKnown: id === null || read.isFetched };
}

/** What is decided, and what the server wants confirmed as missing once it was asked. */
function useResolution(exception: Exception) {
  const words = useWords(exceptionWords);
  const tell = useTell();
  const [given, setGiven] = useState({ action: null as string | null, order: null as string | null, note: "", number: "" });
  const [asked, setAsked] = useState<number | null>(null);
  const act = useAct("POST /api/v1/projects/{projectId}/exceptions/{id}/resolve", { onRefused: () => true });
  const { action, order, note, number } = given;
  const needsOrder = action === "give";
  const missing = action === "ignore" || action === "refund" ? null : asked;
  const set = (change: Partial<typeof given>) => {
    // Another order lacks another sum.
    if ("order" in change || "action" in change) setAsked(null);
    setGiven({ ...given, ...change });
  };
  const send = async () => {
    const body = {
      action: action === "give" ? "accept" : action,
      note: note.trim() === "" ? null : note.trim(),
      ...(needsOrder ? { order_id: order } : {}),
      ...(action === "refund" && number.trim() !== "" ? { refund: { external_transaction_id: number.trim() } } : {}),
      ...(missing === null ? {} : { confirm_shortfall_minor: missing }),
    };
    await act.mutateAsync({ path: { id: exception.id }, body }).catch((error: unknown) => {
      setAsked(shortfallOf(error));
      throw error;
    });
    tell.done(words.resolved);
  };
  return { given, set, needsOrder, missing, send };
}

/** What the server wants confirmed as missing; null for any other refusal. */
function shortfallOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== "shortfall_unconfirmed") return null;
  const missing = error.fields["shortfall_minor"];
  return typeof missing === "number" && missing > 0 ? missing : null;
}
