import { Button, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { currencies } from "../../data/currencies.ts";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { meQuery } from "../../data/session.ts";
import { useMerchant } from "../../parts/fields/choose-merchant.tsx";
import { Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { settingsWords } from "./settings.words.ts";

export default function NewProjectPage() {
  const words = useWords(settingsWords);
  const all = useWords(shared);
  const here = useHere();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [currency, setCurrency] = useState(here.project.default_currency);
  const merchant = useMerchant(here.me, here.project.merchant_id);
  const action = useAction<Objects["Project"]>("POST /api/v1/projects", {
    once: true,
    async onDone(project) {
      const me = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
      void navigate({ to: `/${me?.projects.find(({ id }) => id === project.id)?.path ?? project.id}/test` });
    },
  });
  return (
    <Page title={words.newTitle}>
      <p className="soft">{words.newText}</p>
      <form
        className="form"
        style={{ maxWidth: 440 }}
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate({ body: { name: name.trim(), default_currency: currency }, headers: merchant.headers });
        }}
      >
        {merchant.field}
        <TextInput label={words.name} maxLength={80} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Select
          label={words.currency}
          data={[...new Set([currency, ...currencies])]}
          value={currency}
          onChange={(value) => setCurrency(value ?? currency)}
          allowDeselect={false}
        />
        <div>
          <Button type="submit" loading={action.isPending} disabled={name.trim() === ""}>
            {all.create}
          </Button>
        </div>
      </form>
    </Page>
  );
}
