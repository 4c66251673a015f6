import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, plainClient } from "../../data/client.ts";
import { Field, PasswordField } from "../../parts/fields/field.tsx";
import { useSearchText } from "../../parts/filters/search.ts";
import { NoMailNote, useSendsMail } from "../../parts/notes/no-mail-note.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { PublicPage, useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";

const shortest = 10;

interface Given {
  name: string;
  business: string;
  email: string;
  password: string;
}

export default function SignUp() {
  const words = useWords(publicPageWords);
  const { language } = useLanguage();
  const next = useSearchText("next");
  const [given, setGiven] = useState<Given>({ name: "", business: "", email: "", password: "" });
  const [sent, setSent] = useState(false);
  const { busy, fault, submit } = useForm(
    async () => {
      if ([...given.password].length < shortest) throw new Error("short");
      const { business, ...person } = given;
      await plainClient.plain("POST /api/auth/sign-up/email", { body: { ...person, merchant_name: business, language } });
      setSent(true);
    },
    (error) => (!(error instanceof ApiError) ? words.tooShort : error.status === 403 ? words.closed : null),
  );
  const sendsMail = useSendsMail();
  if (sent)
    return (
      <PublicPage
        title={sendsMail === false ? words.codeTitle : words.checkMail}
        {...(sendsMail === false ? {} : { text: words.checkMailText(given.email) })}
      >
        <NoMailNote need="signUp" />
      </PublicPage>
    );
  return (
    <PublicPage title={words.signUp}>
      <form onSubmit={submit} className="form">
        <NoMailNote need="signUp" />
        <Fields given={given} onWrite={setGiven} />
        {fault}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {words.signUp}
        </Button>
      </form>
      <p className="public-page-foot soft">
        {words.haveAccount}{" "}
        <Link to="/sign-in" search={(next === undefined ? {} : { next }) as never}>
          {words.signIn}
        </Link>
      </p>
    </PublicPage>
  );
}

function Fields({ given, onWrite }: { given: Given; onWrite(given: Given): void }) {
  const words = useWords(publicPageWords);
  const write = (field: keyof Given) => (value: string) => onWrite({ ...given, [field]: value });
  return (
    <>
      <Field label={words.name} autoComplete="name" required size="md" value={given.name} onWrite={write("name")} autoFocus />
      <Field
        label={words.business}
        description={words.businessHint}
        autoComplete="organization"
        required
        maxLength={100}
        size="md"
        value={given.business}
        onWrite={write("business")}
      />
      <Field label={words.email} type="email" autoComplete="username" required size="md" value={given.email} onWrite={write("email")} />
      <PasswordField
        label={words.password}
        description={words.passwordHint}
        autoComplete="new-password"
        required
        size="md"
        value={given.password}
        onWrite={write("password")}
      />
    </>
  );
}
