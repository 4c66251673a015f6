import { Button } from "@mantine/core";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useFaults } from "../../data/forms/use-faults.ts";
import { useAction } from "../../data/queries.ts";
import { PasswordField } from "../../parts/fields/field.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { securityWords } from "./security.words.ts";

const shortest = 10;

export function ChangePassword() {
  const words = useWords(securityWords);
  const notify = useNotify();
  const [now, setNow] = useState("");
  const [next, setNext] = useState("");
  const { form, faults, clear, refused } = useFaults(["password", "current_password", "new_password"]);
  const action = useAction("POST /api/auth/change-password", {
    onRefused: refused,
    onDone() {
      clear();
      setNow("");
      setNext("");
      notify.done(words.changed);
    },
  });
  return (
    <Section title={words.password}>
      <form
        ref={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate({ body: { current_password: now, new_password: next } });
        }}
      >
        <PasswordField
          label={words.now}
          autoComplete="current-password"
          value={now}
          error={faults["current_password"] ?? faults["password"]}
          onWrite={setNow}
        />
        <PasswordField
          label={words.next}
          description={words.hint}
          autoComplete="new-password"
          value={next}
          error={faults["new_password"]}
          onWrite={setNext}
        />
        <div>
          <Button type="submit" variant="default" loading={action.isPending} disabled={now === "" || next.length < shortest}>
            {words.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}
