import { Button, PinInput, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { ApiError, plainClient } from "../../data/client.ts";
import { Field } from "../../parts/fields/field.tsx";
import { useWords } from "../../words/language.tsx";
import { PublicPage, useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";

const digits = 6;

/** After the password: asks for a code of an authenticator app, or a recovery code. */
export function SecondStep({ onDone }: { onDone(): Promise<void> }) {
  const words = useWords(publicPageWords);
  const [recovery, setRecovery] = useState(false);
  return (
    <PublicPage title={words.codeTitle} text={recovery ? words.recoveryText : words.codeText}>
      <CodeForm onDone={onDone} onMeans={setRecovery} />
    </PublicPage>
  );
}

export function CodeForm({ onDone, onMeans }: { onDone(): Promise<void>; onMeans?(recovery: boolean): void }) {
  const words = useWords(publicPageWords);
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState(false);
  const { busy, fault, submit } = useForm(
    async () => {
      await plainClient.plain(`POST /api/auth/two-factor/${recovery ? "verify-recovery-code" : "verify-totp"}`, {
        body: { code: code.trim() },
      });
      await onDone();
    },
    (error) =>
      error instanceof ApiError && error.status < 500 && error.status !== 429 && error.status !== 0
        ? recovery
          ? words.wrongRecovery
          : words.wrongCode
        : null,
  );
  return (
    <form onSubmit={submit} className="form">
      <Code recovery={recovery} code={code} onWrite={setCode} />
      {fault}
      <Button type="submit" size="md" loading={busy} fullWidth disabled={!recovery && code.length < digits}>
        {words.signIn}
      </Button>
      <UnstyledButton
        className="link-button"
        onClick={() => {
          setRecovery(!recovery);
          onMeans?.(!recovery);
          setCode("");
        }}
      >
        {recovery ? words.useApp : words.useRecovery}
      </UnstyledButton>
    </form>
  );
}

function Code({ recovery, code, onWrite }: { recovery: boolean; code: string; onWrite(code: string): void }) {
  const words = useWords(publicPageWords);
  if (recovery)
    return (
      <Field
        label={words.recovery}
        size="md"
        value={code}
        onWrite={onWrite}
        autoFocus
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
    );
  const named = (index: number) => ({ "aria-label": `${words.code}, ${index + 1}` });
  return (
    <PinInput
      length={digits}
      type="number"
      oneTimeCode
      size="lg"
      aria-label={words.code}
      getInputProps={named}
      value={code}
      onChange={onWrite}
      autoFocus
    />
  );
}
