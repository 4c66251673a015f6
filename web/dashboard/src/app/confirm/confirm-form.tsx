import { Button, UnstyledButton } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, plainClient } from "../../data/client.ts";
import { errorText } from "../../data/errors.tsx";
import { confirmWithPasskey, knowsPasskeys, passkeyFault } from "../../data/passkeys.ts";
import { meQuery } from "../../data/session.ts";
import { Field, PasswordField } from "../../parts/fields/field.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { confirmWords } from "./confirm.words.ts";

type Means = "password" | "code";

/** Asks for the password again, or another proof that the reader has: a code, a passkey. */
export default function ConfirmForm({ onEnd }: { onEnd(proved: boolean): void }) {
  const say = useWords(confirmWords);
  const all = useWords(shared);
  const me = useQuery(meQuery).data;
  const [means, setMeans] = useState<Means>("password");
  const [text, setText] = useState("");
  const { busy, fault, prove, clearFault } = useProof(onEnd);
  const other: Means = means === "password" ? "code" : "password";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void prove(means, () => plainClient.plain("POST /api/auth/confirm", { body: { [means]: text.trim() } }));
  };
  const change = () => {
    setMeans(other);
    setText("");
    clearFault();
  };
  const shown = { error: fault, value: text, onWrite: setText, "data-autofocus": true };
  return (
    <form className="ask" onSubmit={submit}>
      <p>{say.text}</p>
      {means === "password" ? (
        <PasswordField label={say.password} autoComplete="current-password" {...shown} />
      ) : (
        <Field label={say.code} inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...shown} />
      )}
      {me?.two_factor_enabled === true ? (
        <UnstyledButton className="link-button" onClick={change}>
          {means === "password" ? say.useCode : say.usePassword}
        </UnstyledButton>
      ) : null}
      {knowsPasskeys() ? <PasskeyButton onClick={() => void prove("passkey", confirmWithPasskey)} /> : null}
      <div className="ask-actions">
        <Button variant="default" onClick={() => onEnd(false)}>
          {all.cancel}
        </Button>
        <Button type="submit" loading={busy} disabled={text === ""}>
          {all.confirm}
        </Button>
      </div>
    </form>
  );
}

function PasskeyButton({ onClick }: { onClick(): void }) {
  const say = useWords(confirmWords);
  return (
    <Button variant="default" leftSection={<IconFingerprint size={20} stroke={1.5} />} onClick={onClick}>
      {say.usePasskey}
    </Button>
  );
}

function useProof(onEnd: (proved: boolean) => void) {
  const say = useWords(confirmWords);
  const { language } = useLanguage();
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const explain = (means: Means | "passkey", error: unknown) => {
    if (means === "passkey" && passkeyFault(error) !== null) return say.stopped;
    if (!(error instanceof ApiError) || error.status !== 400) return errorText(error, language);
    return { password: say.wrong, code: say.wrongCode, passkey: say.wrongPasskey }[means];
  };
  const prove = async (means: Means | "passkey", call: () => Promise<unknown>) => {
    setBusy(true);
    setFault(null);
    await call().then(
      () => onEnd(true),
      (error: unknown) => setFault(explain(means, error)),
    );
    setBusy(false);
  };
  return { busy, fault, prove, clearFault: () => setFault(null) };
}
