import { NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { currencies as usual } from "../../../data/currencies.ts";
import { fieldErrors } from "../../../data/errors.tsx";
import { useEdit } from "../../../data/forms/use-edit.ts";
import { useAction, useList } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { Field } from "../../../parts/fields/field.tsx";
import { amountText, parseAmount } from "../../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { type Account, accountRoute, accountsRoute, type Gateway } from "../parts/account.ts";
import { useAccountName } from "../parts/account-state.tsx";
import { gatewayWords } from "../parts/gateways.words.ts";
import { joined, type Move, moved, ownOf, placesOf } from "../parts/order-accounts.ts";
import { useLimitCurrency } from "../parts/takes.tsx";
import { useMoves } from "../parts/use-moves.ts";

interface Given {
  label: string;
  least: string;
  most: string;
  currencies: string[];
  weight: number | string;
}

interface EditProps {
  account: Account;
  gateway: Gateway;
  onClose(): void;
}

/** Which payments an account takes, and when. */
export function EditAccount({ account, gateway, onClose }: EditProps) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const currency = useLimitCurrency(account, gateway);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [mate, setMate] = useState<string | null>(null);
  const edit = useEdit(account, (from) => givenOf(from, currency));
  const place = usePlace(account, gateway);
  const action = useAction<Account>(`PATCH ${accountRoute}`, { success: all.saved, onRefused: () => true });
  const chosen = mate ?? place.mate ?? "";
  const { given } = edit;
  const sums = { min_minor: minorOf(given.least, currency), max_minor: minorOf(given.most, currency) };
  const bad = Object.values(sums).includes(undefined);
  const save = async () => {
    const moves = place.movesTo(mate);
    const own = moves.find(({ id }) => id === account.id);
    const body = { ...bodyOf(given, sums), ...(own === undefined ? {} : { position: own.position }) };
    await action.mutateAsync({ path: { slug: gateway.slug, id: account.id }, version: edit.version, body }).catch((error: unknown) => {
      edit.refused(error);
      setFaults(fieldErrors(error, language));
      throw error;
    });
    await place.apply(moves.filter((move) => move !== own));
  };
  return (
    <Ask title={words.edit} open onClose={onClose} does={all.save} onDo={save} disabled={bad}>
      <TextInput
        label={all.optionally(words.label)}
        description={words.labelHint}
        maxLength={100}
        value={given.label}
        error={faults["label"]}
        onChange={(event) => edit.set({ label: event.currentTarget.value })}
      />
      <Limits given={given} sums={sums} faults={faults} currency={currency} onChange={edit.set} />
      <TagsInput
        label={all.optionally(words.only)}
        description={words.onlyHint}
        data={gateway.currencies ?? usual}
        value={given.currencies}
        error={faults["currencies"]}
        onChange={(currencies) => edit.set({ currencies: currencies.map((one) => one.toUpperCase()) })}
      />
      <Sharing place={place} chosen={chosen} given={given} fault={faults["weight"]} onChoose={setMate} onChange={edit.set} />
    </Ask>
  );
}

interface SharingProps {
  place: ReturnType<typeof usePlace>;
  /** The account that this one shares its place with; empty for none. */
  chosen: string;
  given: Given;
  fault: string | undefined;
  onChoose(id: string): void;
  onChange(given: Partial<Given>): void;
}

/** Where an account is among the others, and its share of the payments there. */
function Sharing({ place, chosen, given, fault, onChoose, onChange }: SharingProps) {
  const words = useWords(gatewayWords);
  const nameOf = useAccountName();
  if (place.others.length === 0) return null;
  return (
    <>
      <Select
        label={words.sharing}
        data={[
          { value: "", label: words.alone },
          ...place.others.map((one) => ({ value: one.id, label: words.togetherWith(nameOf(one)) })),
        ]}
        value={chosen}
        onChange={(value) => onChoose(value ?? "")}
        allowDeselect={false}
      />
      {chosen === "" ? null : (
        <NumberInput
          label={words.weight}
          description={words.weightHint}
          min={0}
          max={1_000}
          allowDecimal={false}
          value={given.weight}
          error={fault}
          onChange={(weight) => onChange({ weight })}
        />
      )}
    </>
  );
}

interface LimitProps {
  given: Given;
  sums: { min_minor: number | null | undefined; max_minor: number | null | undefined };
  faults: Record<string, string>;
  currency: string;
  onChange(given: Partial<Given>): void;
}

function Limits({ given, sums, faults, currency, onChange }: LimitProps) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  return (
    <>
      <div className="columns">
        <Field
          label={words.least(currency)}
          inputMode="decimal"
          value={given.least}
          error={sums.min_minor === undefined ? all.badAmount : faults["limits.min_minor"]}
          onWrite={(least) => onChange({ least })}
        />
        <Field
          label={words.most(currency)}
          inputMode="decimal"
          value={given.most}
          error={sums.max_minor === undefined ? all.badAmount : faults["limits.max_minor"]}
          onWrite={(most) => onChange({ most })}
        />
      </div>
      <p className="soft limits-hint">{words.limitsHint}</p>
    </>
  );
}

/** The gateway's other accounts, and the one that shares its place with this one. */
function usePlace(account: Account, gateway: Gateway) {
  const list = useList<Account>(`GET ${accountsRoute}`, { path: { slug: gateway.slug } });
  const accounts = ownOf(list.data?.pages.flatMap(({ data }) => data) ?? []);
  const { apply } = useMoves(gateway, accounts);
  const inside = placesOf(accounts).find((place) => place.some(({ id }) => id === account.id)) ?? [];
  const mate = inside.find(({ id }) => id !== account.id)?.id ?? null;
  return {
    others: accounts.filter(({ id }) => id !== account.id),
    mate,
    apply,
    /** What changes with the chosen place; null: none was chosen. */
    movesTo(chosen: string | null): Move[] {
      if (chosen === null || chosen === (mate ?? "")) return [];
      return chosen === "" ? moved(accounts, account.id, 1) : joined(accounts, account.id, chosen);
    },
  };
}

function givenOf({ label, limits, currencies, weight }: Account, currency: string): Given {
  const text = (minor: number | null) => (minor === null ? "" : amountText(minor, currency));
  return { label: label ?? "", least: text(limits.min_minor), most: text(limits.max_minor), currencies: currencies ?? [], weight };
}

/** An amount in minor units; null if nothing was typed, undefined if it is invalid. */
function minorOf(text: string, currency: string): number | null | undefined {
  return text.trim() === "" ? null : (parseAmount(text, currency) ?? undefined);
}

function bodyOf({ label, currencies, weight }: Given, limits: LimitProps["sums"]) {
  return {
    label: label.trim() === "" ? null : label.trim(),
    limits,
    currencies: currencies.length === 0 ? null : currencies,
    ...(typeof weight === "number" ? { weight } : {}),
  };
}
