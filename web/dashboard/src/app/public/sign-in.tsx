import { Button } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, plainClient } from "../../data/client.ts";
import { knowsPasskeys, passkeyFault, signInWithPasskey } from "../../data/passkeys.ts";
import { Field, PasswordField } from "../../parts/fields/field.tsx";
import { useSearchText } from "../../parts/filters/search.ts";
import { useSendsMail } from "../../parts/notes/no-mail-note.tsx";
import { useWords } from "../../words/language.tsx";
import { PublicPage, useEnter, useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";
import { SecondStep } from "./second-step.tsx";

export default function SignIn() {
  const words = useWords(publicPageWords);
  const enter = useEnter();
  const next = useSearchText("next");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [second, setSecond] = useState(false);
  const sendsMail = useSendsMail();
  const { busy, fault, submit } = useForm(
    async () => {
      const answer = await plainClient.plain<{ two_factor_required: boolean }>("POST /api/auth/sign-in/email", {
        body: { email, password },
      });
      if (answer.two_factor_required) setSecond(true);
      else await enter();
    },
    (error) => reasonOf(error, words, sendsMail),
  );
  if (second) return <SecondStep onDone={enter} />;
  return (
    <PublicPage title={words.signIn} text={words.signInText}>
      <form onSubmit={submit} className="form">
        <Field label={words.email} type="email" autoComplete="username" required size="md" value={email} onWrite={setEmail} autoFocus />
        <PasswordField label={words.password} autoComplete="current-password" required size="md" value={password} onWrite={setPassword} />
        {fault}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {words.signIn}
        </Button>
      </form>
      {knowsPasskeys() ? <WithPasskey onDone={enter} /> : null}
      <p className="public-page-foot">
        <Link to="/forgot-password">{words.forgot}</Link>
      </p>
      <p className="public-page-foot soft">
        {words.noAccount}{" "}
        <Link to="/sign-up" search={(next === undefined ? {} : { next }) as never}>
          {words.signUp}
        </Link>
      </p>
    </PublicPage>
  );
}

/** The meaning of a refused sign-in; null if it is shown like any other refusal. */
export function reasonOf(
  error: unknown,
  words: Record<"wrong" | "notConfirmed" | "notConfirmedHere", string>,
  sendsMail: boolean | undefined,
): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 401) return words.wrong;
  return error.status === 403 && error.code !== "origin_not_allowed"
    ? words[sendsMail === false ? "notConfirmedHere" : "notConfirmed"]
    : null;
}

/** Signs in without a password, if the browser can. */
export function WithPasskey({ onDone }: { onDone(): Promise<void> }) {
  const words = useWords(publicPageWords);
  const { busy, fault, submit } = useForm(
    async () => {
      await signInWithPasskey();
      await onDone();
    },
    (error) => passkeyReasonOf(error, words),
  );
  return (
    <div className="form public-page-other">
      {fault}
      <Button
        variant="default"
        size="md"
        fullWidth
        loading={busy}
        leftSection={<IconFingerprint size={20} stroke={1.5} />}
        onClick={() => submit()}
      >
        {words.passkey}
      </Button>
    </div>
  );
}

function passkeyReasonOf(error: unknown, words: { passkeyStopped: string; passkeyUnknown: string }): string | null {
  if (passkeyFault(error) !== null) return words.passkeyStopped;
  return error instanceof ApiError && error.status === 401 ? words.passkeyUnknown : null;
}
