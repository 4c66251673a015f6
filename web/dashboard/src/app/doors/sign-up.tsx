import { Button, PasswordInput, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, plainClient } from "../../data/client.ts";
import { useSearchText } from "../../parts/search.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { Door, useForm } from "./door.tsx";
import { doorWords } from "./door.words.ts";

const shortest = 10;

export default function SignUp() {
  const words = useWords(doorWords);
  const { language } = useLanguage();
  const next = useSearchText("next");
  const [given, setGiven] = useState({ name: "", email: "", password: "" });
  const [sent, setSent] = useState(false);
  const write = (field: keyof typeof given) => (event: { currentTarget: { value: string } }) => setGiven({ ...given, [field]: event.currentTarget.value });
  const { busy, fault, submit } = useForm(
    async () => {
      if ([...given.password].length < shortest) throw new Error("short");
      await plainClient.plain("POST /api/auth/sign-up/email", { body: { ...given, language } });
      setSent(true);
    },
    (error) => (!(error instanceof ApiError) ? words.tooShort : error.status === 403 ? words.closed : null),
  );
  if (sent)
    return (
      <Door title={words.checkMail} text={words.checkMailText(given.email)}>
        {null}
      </Door>
    );
  return (
    <Door title={words.signUp}>
      <form onSubmit={submit} className="form">
        <TextInput label={words.name} autoComplete="name" required withAsterisk={false} size="md" value={given.name} onChange={write("name")} autoFocus />
        <TextInput
          label={words.email}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          size="md"
          value={given.email}
          onChange={write("email")}
        />
        <PasswordInput
          label={words.password}
          description={words.passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          size="md"
          value={given.password}
          onChange={write("password")}
        />
        {fault}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {words.signUp}
        </Button>
      </form>
      <p className="door-foot soft">
        {words.haveAccount}{" "}
        <Link to="/sign-in" search={(next === undefined ? {} : { next }) as never}>
          {words.signIn}
        </Link>
      </p>
    </Door>
  );
}
