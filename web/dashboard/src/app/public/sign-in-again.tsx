import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { knowsPasskeys } from "../../data/passkeys.ts";
import { type Me, meQuery } from "../../data/session.ts";
import { PasswordField } from "../../parts/fields/field.tsx";
import { useSendsMail } from "../../parts/notes/no-mail-note.tsx";
import { useWords } from "../../words/language.tsx";
import { useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";
import { CodeForm } from "./second-step.tsx";
import { reasonOf, WithPasskey } from "./sign-in.tsx";

/** Signs the same person in again over a page that stays open. A passkey may be another person's: then the page is reloaded. */
export default function SignInAgain({ me }: { me: Me }) {
  const words = useWords(publicPageWords);
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const [second, setSecond] = useState(false);
  const goOn = async () => {
    const now = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    if (now?.id === me.id) await queries.invalidateQueries();
    else location.reload();
  };
  const sendsMail = useSendsMail();
  const { busy, fault, submit } = useForm(
    async () => {
      const body = { email: me.email, password };
      const answer = await plainClient.plain<{ two_factor_required: boolean }>("POST /api/auth/sign-in/email", { body });
      if (answer.two_factor_required) setSecond(true);
      else await goOn();
    },
    (error) => reasonOf(error, words, sendsMail),
  );
  if (second) return <CodeForm onDone={goOn} />;
  return (
    <div className="ask">
      <p>{words.endedText}</p>
      <form onSubmit={submit} className="form">
        <input type="email" className="unseen" tabIndex={-1} aria-hidden="true" autoComplete="username" value={me.email} readOnly />
        <PasswordField
          label={words.password}
          description={me.email}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onWrite={setPassword}
        />
        {fault}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {words.signIn}
        </Button>
      </form>
      {knowsPasskeys() ? <WithPasskey onDone={goOn} /> : null}
      <p className="public-page-foot">
        <a href={`/dashboard/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}>{words.someoneElse}</a>
      </p>
    </div>
  );
}
