import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { defineWords, useWords } from "../words/language.tsx";

const words = defineWords({ en: { title: "Page not found", home: "Go to overview" }, zh: { title: "没有这个页面", home: "返回概览" } });

export function NotThere() {
  const say = useWords(words);
  return (
    <main className="lone" id="main" tabIndex={-1}>
      <h1>{say.title}</h1>
      <Button component={Link} to="/">
        {say.home}
      </Button>
    </main>
  );
}
