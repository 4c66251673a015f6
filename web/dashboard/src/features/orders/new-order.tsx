import { Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { currencies } from "../../app/first-steps.tsx";
import type { Objects } from "../../data/client.ts";
import { fieldErrors, useTell } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { refresh } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { parseAmount } from "../../parts/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { orderWords } from "./orders.words.ts";

const hour = 3_600;
const lives = [1, 24, 72, 168];

const blank = { amount: "", reference: "", description: "", email: "", expires: String(24) };

/** An order made by hand; its page opens with the link to send. */
export function NewOrder({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(orderWords);
  const all = useWords(shared);
  const here = useHere();
  const { language } = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const tell = useTell();
  const [given, setGiven] = useState(blank);
  const [currency, setCurrency] = useState(here.project.default_currency);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [key, setKey] = useState(() => crypto.randomUUID());
  const minor = parseAmount(given.amount, currency);
  const field = (name: keyof typeof blank, param: string) => ({
    value: given[name],
    error: faults[param],
    onChange: (event: { currentTarget: { value: string } }) => setGiven({ ...given, [name]: event.currentTarget.value }),
  });
  const create = async () => {
    if (minor === null) return refuse({ amount_minor: words.badAmount });
    const body = bodyOf(given, currency, minor);
    const order = await here.client
      .plain<Objects["Order"]>("POST /api/v1/projects/{projectId}/orders", { path: { projectId: here.project.id }, body, idempotencyKey: key })
      .catch((error: unknown) => {
        setFaults(fieldErrors(error, language));
        throw error;
      });
    setGiven(blank);
    setFaults({});
    setKey(crypto.randomUUID());
    tell.done(words.created);
    void refresh(queries, here);
    queueMicrotask(() => void navigate({ to: here.to(`/orders/${order.id}`) }));
  };
  const refuse = (found: Record<string, string>) => {
    setFaults(found);
    throw new Error("not sent");
  };
  return (
    <Ask title={words.newOrder} open={open} onClose={onClose} does={all.create} onDo={create} disabled={given.amount.trim() === ""}>
      <div className="spread" style={{ alignItems: "flex-start" }}>
        <TextInput label={all.amount} inputMode="decimal" placeholder="99.00" data-autofocus flex={1} {...field("amount", "amount_minor")} />
        <Select
          label={words.currency}
          data={[...new Set([here.project.default_currency, ...currencies])]}
          value={currency}
          onChange={(value) => setCurrency(value ?? currency)}
          allowDeselect={false}
          w={110}
        />
      </div>
      <TextInput label={words.reference} description={words.referenceHint} maxLength={120} {...field("reference", "reference")} />
      <TextInput label={words.description} description={words.descriptionHint} maxLength={500} {...field("description", "description")} />
      <TextInput label={`${words.customerEmail} (${all.optional})`} type="email" {...field("email", "customer.email")} />
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

function bodyOf(given: typeof blank, currency: string, amount_minor: number): Record<string, unknown> {
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
