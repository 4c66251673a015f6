import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { PasswordField } from "../../parts/fields/field.tsx";
import { useSearchText } from "../../parts/filters/search.ts";
import { useWords } from "../../words/language.tsx";
import { PublicPage, useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";

export default function ResetPassword() {
  const words = useWords(publicPageWords);
  const token = useSearchText("token");
  const [password, setPassword] = useState("");
  const [done, setDone] = useState(false);
  const { busy, fault, submit } = useForm(async () => {
    await plainClient.plain("POST /api/auth/reset-password", { body: { new_password: password, token } });
    setDone(true);
  });
  return (
    <PublicPage title={words.resetTitle} {...(done ? { text: words.passwordSet } : {})}>
      {done ? (
        <Button component={Link} to="/sign-in" size="md" fullWidth>
          {words.signIn}
        </Button>
      ) : (
        <form onSubmit={submit} className="form">
          <PasswordField
            label={words.newPassword}
            description={words.passwordHint}
            autoComplete="new-password"
            required
            size="md"
            value={password}
            onWrite={setPassword}
            autoFocus
          />
          {fault}
          <Button type="submit" size="md" loading={busy} fullWidth>
            {words.setPassword}
          </Button>
        </form>
      )}
    </PublicPage>
  );
}
