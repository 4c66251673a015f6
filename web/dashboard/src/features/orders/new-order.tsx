import { Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { currencies } from "../../data/currencies.ts";
import { fieldErrors, useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useOnce } from "../../data/once.ts";
import { refresh } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { moneyText, parseAmount } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { lives } from "./order-actions.tsx";
import { orderWords } from "./orders.words.ts";

const hour = 3_600;

const blank = { amount: "", reference: "", description: "", email: "", expires: String(24) };

type Given = typeof blank;

/** Creates an order manually; its page opens with the link to send. */
export function NewOrder({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(orderWords);
  const all = useWords(shared);
  const here = useHere();
  const [given, setGiven] = useState(blank);
  const [currency, setCurrency] = useState(here.project.default_currency);
  const { locale } = useLanguage();
  const { faults, create } = useCreate();
  const minor = parseAmount(given.amount, currency);
  const field = (name: keyof Given, param: string) => ({
    value: given[name],
    error: faults[param],
    onWrite: (value: string) => setGiven({ ...given, [name]: value }),
  });
  const amountFault = given.amount !== "" && minor === null ? all.badAmount : faults["amount_minor"];
  const send = () => create(bodyOf(given, currency, minor ?? 0)).then(() => setGiven(blank));
  if (useUnverified() !== null)
    return (
      <Ask title={words.newOrder} open={open} onClose={onClose} does={all.create} onDo={send} disabled>
        <UnverifiedNote what="orders" />
      </Ask>
    );
  return (
    <Ask
      title={words.newOrder}
      open={open}
      onClose={onClose}
      does={minor === null ? all.create : words.createSum(moneyText(locale, minor, currency))}
      onDo={send}
      disabled={minor === null}
    >
      <Price amount={{ ...field("amount", "amount_minor"), error: amountFault }} currency={currency} onCurrency={setCurrency} />
      <Field label={words.reference} description={words.referenceHint} maxLength={64} {...field("reference", "reference")} />
      <Field
        label={all.optionally(words.description)}
        description={words.descriptionHint}
        maxLength={500}
        {...field("description", "description")}
      />
      <Field label={all.optionally(words.buyerEmail)} type="email" {...field("email", "customer.email")} />
      <Select
        label={words.expiresIn}
        data={lives.map((hours) => ({ value: String(hours), label: hours < 24 ? words.hours(hours) : words.days(hours / 24) }))}
        value={given.expires}
        onChange={(value) => setGiven({ ...given, expires: value ?? "24" })}
        allowDeselect={false}
      />
    </Ask>
  );
}

interface PriceProps {
  amount: { value: string; error: string | undefined; onWrite(value: string): void };
  currency: string;
  onCurrency(currency: string): void;
}

function Price({ amount, currency, onCurrency }: PriceProps) {
  const words = useWords(orderWords);
  const all = useWords(shared);
  const here = useHere();
  return (
    <div className="spread" style={{ alignItems: "flex-start" }}>
      <Field label={all.amount} inputMode="decimal" placeholder="99.00" data-autofocus flex={1} {...amount} />
      <Select
        label={words.currency}
        data={[...new Set([here.project.default_currency, ...currencies])]}
        value={currency}
        onChange={(value) => onCurrency(value ?? currency)}
        allowDeselect={false}
        w={110}
      />
    </div>
  );
}

/** Creates the order once, however often the button is clicked, and opens its page. */
function useCreate() {
  const words = useWords(orderWords);
  const here = useHere();
  const { language } = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const notify = useNotify();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const once = useOnce();
  const create = async (body: Record<string, unknown>) => {
    const order = await once({ path: { projectId: here.project.id }, body }, (input) =>
      here.client.plain<Objects["Order"]>("POST /api/v1/projects/{projectId}/orders", input),
    ).catch((error: unknown) => {
      setFaults(fieldErrors(error, language));
      throw error;
    });
    setFaults({});
    notify.done(words.created);
    void refresh(queries, here);
    setTimeout(() => void navigate({ to: here.to(`/orders/${order.id}`) }));
  };
  return { faults, create };
}

function bodyOf(given: Given, currency: string, amount_minor: number): Record<string, unknown> {
  const { reference, description, email } = given;
  return {
    amount_minor,
    currency,
    expires_in: Number(given.expires) * hour,
    ...(reference.trim() === "" ? {} : { reference: reference.trim() }),
    ...(description.trim() === "" ? {} : { description: description.trim() }),
    ...(email.trim() === "" ? {} : { customer: { email: email.trim() } }),
  };
}
