import { Button } from "@mantine/core";
import { defineWords, useWords } from "../words/language.tsx";

const words = defineWords({
  en: {
    title: "Something went wrong",
    text: "Nothing was changed. Reload the page; if that doesn't help, contact the operator of this server.",
    reload: "Reload",
  },
  zh: { title: "页面出错了", text: "没有任何更改。请刷新页面；如仍有问题，请联系平台运营方。", reload: "刷新" },
});

/** Shown if a screen throws, or if its script belongs to a build that no longer exists. */
export function Fallen() {
  const say = useWords(words);
  return (
    <main className="lone" id="main" tabIndex={-1}>
      <h1>{say.title}</h1>
      <p className="soft">{say.text}</p>
      <Button onClick={() => location.reload()}>{say.reload}</Button>
    </main>
  );
}
