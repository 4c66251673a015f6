import { Select } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { leadsAt, type Me } from "../../data/session.ts";
import { defineWords, useWords } from "../../words/language.tsx";

const words = defineWords({ en: { merchant: "Business" }, zh: { merchant: "商户" } });

/** Which of the reader's merchants something is created for, and the field for it, which is only shown if there is a choice. */
export function useMerchant(me: Me, usual?: string): { field: ReactNode; headers: Record<string, string> } {
  const say = useWords(words);
  const led = leadsAt(me);
  const [chosen, setChosen] = useState(led.some(({ merchant_id }) => merchant_id === usual) ? usual : led[0]?.merchant_id);
  const field =
    led.length < 2 ? null : (
      <Select
        label={say.merchant}
        data={led.map(({ merchant_id, merchant_name }) => ({ value: merchant_id, label: merchant_name }))}
        value={chosen ?? null}
        onChange={(value) => setChosen(value ?? chosen)}
        allowDeselect={false}
      />
    );
  return { field, headers: chosen === undefined ? {} : { "tillpost-merchant": chosen } };
}
