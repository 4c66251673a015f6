import { Page } from "../../parts/page.tsx";
import { defineWords, useWords } from "../../words/language.tsx";

const words = defineWords({ title: "Overview" }, { title: "概览" });

export default function OverviewPage() {
  const say = useWords(words);
  return <Page title={say.title}>{null}</Page>;
}
