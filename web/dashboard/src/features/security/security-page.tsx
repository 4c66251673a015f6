import { Button, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { meQuery } from "../../data/session.ts";
import { Page, Section } from "../../parts/pages/page.tsx";
import { languages, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { ChangePassword } from "./change-password.tsx";
import { Passkeys } from "./passkeys.tsx";
import { securityWords } from "./security.words.ts";
import { Sessions } from "./sessions.tsx";
import { TwoStep } from "./two-step.tsx";

export default function SecurityPage() {
  const words = useWords(securityWords);
  const here = useHere();
  return (
    <Page title={words.title} aside={<span className="soft">{here.me.email}</span>}>
      <div className="two-sides">
        <div className="side-left">
          <Profile />
          <ChangePassword />
        </div>
        <div className="side-right">
          <TwoStep />
          <Passkeys />
          <Sessions />
        </div>
      </div>
    </Page>
  );
}

function Profile() {
  const words = useWords(securityWords);
  const all = useWords(shared);
  const here = useHere();
  const notify = useNotify();
  const queries = useQueryClient();
  const [name, setName] = useState(here.me.name);
  const [language, setLanguage] = useState<string>(here.me.language);
  const action = useAction("PATCH /api/profile/me", {
    onDone() {
      notify.done(words.saved);
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <Section title={words.profile}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate({ body: { name: name.trim(), language } });
        }}
      >
        <TextInput label={words.name} maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Select
          label={words.language}
          value={language}
          onChange={(value) => setLanguage(value ?? language)}
          allowDeselect={false}
          data={languages.map(({ tag, name }) => ({ value: tag, label: name }))}
        />
        <div>
          <Button type="submit" variant="default" loading={action.isPending} disabled={name.trim() === ""}>
            {all.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}
