import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { defineWords, useWords } from "../../words/language.tsx";

const keyWords = defineWords({
  en: { keys: "Go to API keys" },
  zh: { keys: "前往 API 密钥" },
});

/** A text about what a key can do, with a link to the keys for those who may create one. */
export function WithKeys({ text }: { text: string }) {
  const words = useWords(keyWords);
  const here = useHere();
  return (
    <>
      {text} {here.may("keys") ? <Link to={here.to("/keys")}>{words.keys}</Link> : null}
    </>
  );
}
