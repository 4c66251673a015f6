import { Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import { ApiError, type Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useProviderOf } from "../../parts/filters/gateways.ts";
import { Money, moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { caseName, listedBy, reportedBy } from "./case-name.ts";
import { ChooseOrder } from "./choose-order.tsx";
import { exceptionWords } from "./exceptions.words.ts";
import { choicesOf, refundReasonOf } from "./outcomes.ts";

type Exception = Objects["PaymentException"];

/** Decides where an exception's money belongs. */
export function Decide({ exception, onClose }: { exception: Exception; onClose(): void }) {
  const words = useWords(exceptionWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const { status, isKnown } = useOrderStatus(exception.order_id);
  const provider = useProviderOf(exception.gateway);
  const choices = isKnown ? choicesOf({ ...exception, provider }, status, words) : [];
  const sole = choices.length === 1 ? choices[0] : undefined;
  const { given, set, needsOrder, missing, send } = useResolution(exception, sole?.value ?? null);
  const { action, order, note } = given;
  const short = missing === null ? null : moneyText(locale, missing, exception.currency);
  return (
    <Ask
      title={caseName(exception, words)}
      open
      onClose={onClose}
      does={short === null ? (sole?.label ?? words.resolve) : words.acceptShort(short)}
      onDo={send}
      say={(error) => (shortfallOf(error) === null || short === null ? refusedBy(error, words.refusedBy) : words.shortOf(short))}
      disabled={action === null || (needsOrder && order === null)}
    >
      {exception.amount_minor === 0 ? null : <Money minor={exception.amount_minor} currency={exception.currency} size={28} />}
      <CaseNotes exception={exception} status={status} />
      {sole === undefined ? <Choices choices={choices} value={action} onChoose={(one) => set({ action: one })} /> : <p>{sole.text}</p>}
      {needsOrder ? <ChooseOrder exception={exception} value={order} onChoose={(id) => set({ order: id })} /> : null}
      {action === "refund" ? (
        <Field
          label={all.optionally(words.refundNumber)}
          maxLength={100}
          autoComplete="off"
          value={given.number}
          onWrite={(number) => set({ number })}
        />
      ) : null}
      <Textarea
        label={all.optionally(words.note)}
        description={words.noteHint}
        maxLength={500}
        value={note}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </Ask>
  );
}

interface ChoicesProps {
  choices: ReturnType<typeof choicesOf>;
  value: string | null;
  onChoose(value: string): void;
}

function Choices({ choices, value: chosen, onChoose }: ChoicesProps) {
  const words = useWords(exceptionWords);
  if (choices.length === 0) return null;
  return (
    <Radio.Group value={chosen} onChange={onChoose} label={words.resolve} labelProps={{ className: "unseen" }}>
      <div className="form">
        {choices.map(({ value, label, text }) => (
          <Radio key={value} value={value} label={label} description={text} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** What one has to know before deciding. */
function CaseNotes({ exception, status }: { exception: Exception; status: string | null }) {
  const words = useWords(exceptionWords);
  const about = refundReasonOf(exception);
  const [reported, listed] = [reportedBy(exception, words), listedBy(exception, words)];
  return (
    <>
      {about === null ? null : <p className="soft">{words.about[about]}</p>}
      {reported === null ? null : <p className="soft">{words.reported[reported].text}</p>}
      {reported === "disputed" ? <DisputeNotes exception={exception} /> : null}
      {reported === "days_not_compared" ? <p>{words.days(exception.external_id.replace("/", " – "))}</p> : null}
      {listed === null ? null : <p className="soft">{words.listed[listed].text}</p>}
      {status === "canceled" && reported === null ? <p className="soft">{words.canceled}</p> : null}
    </>
  );
}

/** What the provider says about a dispute, and which of that the books don't include. */
function DisputeNotes({ exception: { detail, currency } }: { exception: Exception }) {
  const words = useWords(exceptionWords);
  const { locale } = useLanguage();
  const { dispute_reason: reason, over_minor: over, in_books: inBooks } = detail as Record<string, unknown>;
  const notes = [
    typeof reason === "string" ? words.disputeReason(reason) : null,
    typeof over === "number" && over > 0 ? words.disputeOver(moneyText(locale, over, currency)) : null,
    inBooks === false ? words.disputeUnbooked : null,
  ].filter((note) => note !== null);
  return notes.map((note) => (
    <p key={note} className="soft">
      {note}
    </p>
  ));
}

/** The effect of a decision depends on the status of the exception's order. */
function useOrderStatus(id: string | null): { status: string | null; isKnown: boolean } {
  const read = useApi("GET /api/v1/projects/{projectId}/orders/{id}", { path: { id: id ?? "" }, enabled: id !== null });
  return { status: read.data?.status ?? null, isKnown: id === null || read.isFetched };
}

/** The decision, preselected if there is only one choice, and the missing amount that the server wants confirmed after a first request. */
function useResolution(exception: Exception, sole: string | null) {
  const words = useWords(exceptionWords);
  const notify = useNotify();
  const [given, setGiven] = useState({ action: null as string | null, order: null as string | null, note: "", number: "" });
  const [shortfall, setShortfall] = useState<number | null>(null);
  const resolve = useAction("POST /api/v1/projects/{projectId}/exceptions/{id}/resolve", { once: true, onRefused: () => true });
  const { order, note, number } = given;
  const action = sole ?? given.action;
  const needsOrder = action === "give";
  const missing = action === "accept" || action === "give" ? shortfall : null;
  const set = (change: Partial<typeof given>) => {
    // Another order is short of another amount.
    if ("order" in change || "action" in change) setShortfall(null);
    setGiven({ ...given, ...change });
  };
  const send = async () => {
    const body = {
      action: actionOf(action),
      note: note.trim() === "" ? null : note.trim(),
      ...(needsOrder ? { order_id: order } : {}),
      ...refundOf(action, number.trim()),
      ...(missing === null ? {} : { confirm_shortfall_minor: missing }),
    };
    await resolve.mutateAsync({ path: { id: exception.id }, body }).catch((error: unknown) => {
      setShortfall(shortfallOf(error));
      throw error;
    });
    notify.done(words.resolved);
  };
  return { given: { ...given, action }, set, needsOrder, missing, send };
}

function actionOf(action: string | null): string | null {
  if (action === "give") return "accept";
  return action === "return" ? "refund" : action;
}

/** Who pays the money back, if it is paid back. */
function refundOf(action: string | null, number: string): object {
  if (action === "return") return { refund: { method: "gateway" } };
  return action === "refund" ? { refund: { method: "manual", ...(number === "" ? {} : { external_transaction_id: number }) } } : {};
}

/** The provider's message, if the provider refused. */
function refusedBy(error: unknown, say: (code: string) => string): string | null {
  if (!(error instanceof ApiError) || error.code !== "gateway_error") return null;
  const code = error.fields["gateway_code"];
  return typeof code === "string" ? say(code) : null;
}

/** The missing amount that the server wants confirmed; null for any other refusal. */
function shortfallOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== "shortfall_unconfirmed") return null;
  const missing = error.fields["shortfall_minor"];
  return typeof missing === "number" && missing > 0 ? missing : null;
}
