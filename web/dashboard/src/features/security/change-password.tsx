import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { useTell } from "../../data/errors.tsx";
import { useAct } from "../../data/queries.ts";
import { Section } from "../../parts/page.tsx";
import { useWords } from "../../words/language.tsx";
import { securityWords } from "./security.words.ts";

const shortest = 10;

export function ChangePassword() {
  const words = useWords(securityWords);
  const tell = useTell();
  const [now, setNow] = useState("");
  const [next, setNext] = useState("");
  const act = useAct("POST /api/auth/change-password", {
    onDone() {
      setNow("");
      setNext("");
      tell.done(words.changed);
    },
  });
  return (
    <Section title={words.password}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ body: { current_password: now, new_password: next } });
        }}
      >
        <PasswordInput label={words.now} autoComplete="current-password" value={now} onChange={(event) => setNow(event.currentTarget.value)} />
        <PasswordInput
          label={words.next}
          description={words.hint}
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={act.isPending} disabled={now === "" || next.length < shortest}>
            {words.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}
