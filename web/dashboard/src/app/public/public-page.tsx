import { ActionIcon, useMantineColorScheme } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { errorText } from "../../data/errors.tsx";
import { meQuery, noteSignedIn } from "../../data/session.ts";
import { useSearchText } from "../../parts/filters/search.ts";
import { pageOf } from "../../parts/own-address.ts";
import { Mark } from "../../parts/shown/mark.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";
import { ChooseLanguage } from "./choose-language.tsx";

/** The layout of the pages before sign-in: one column, with the language next to the logo. */
export function PublicPage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Tillpost`);
  const words = useWords(shellWords);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dark = colorScheme === "dark" || (colorScheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <div className="public-page">
      <header>
        <span className="brand">
          <Mark size={28} /> Tillpost
        </span>
        <span className="public-page-choices">
          <ChooseLanguage />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            className="quiet-icon"
            aria-label={dark ? words.light : words.dark}
            onClick={() => setColorScheme(dark ? "light" : "dark")}
          >
            {dark ? <IconSun size={20} stroke={1.5} /> : <IconMoon size={20} stroke={1.5} />}
          </ActionIcon>
        </span>
      </header>
      <main id="main" tabIndex={-1}>
        <h1>{title}</h1>
        {text === undefined ? null : <p className="soft">{text}</p>}
        {children}
      </main>
    </div>
  );
}

/** A form that sends one request and shows what was wrong. */
export function useForm(onSubmit: () => Promise<void>, say?: (error: unknown) => string | null) {
  const { language } = useLanguage();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setBusy(true);
    setFault(null);
    onSubmit()
      .catch((error: unknown) => setFault(say?.(error) ?? errorText(error, language)))
      .finally(() => setBusy(false));
  };
  return {
    busy,
    fault:
      fault === null ? null : (
        <p className="ask-error" role="alert">
          {fault}
        </p>
      ),
    submit,
  };
}

/** After sign-in: opens the page that the reader wanted. */
export function useEnter(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const next = useSearchText("next");
  return async () => {
    noteSignedIn();
    await queries.invalidateQueries({ queryKey: meQuery.queryKey });
    await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    await navigate({ to: pageOf(next), replace: true });
  };
}
