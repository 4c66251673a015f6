import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { Page } from "../../parts/page.tsx";
import { useSearch } from "../../parts/search.ts";
import { useWords } from "../../words/language.tsx";
import { logWords } from "../gateways/log.words.ts";
import { type RefusedCallback, RefusedList } from "../gateways/refused-callbacks.tsx";
import "../gateways/gateways.css";

export default function RefusedCallbacksPage() {
  const words = useWords(logWords);
  const here = useHere();
  const { values } = useSearch();
  const list = useList<RefusedCallback>("GET /api/admin/refused-callbacks", { query: { reason: values["reason"] } });
  return (
    <Page title={words.everyRefused}>
      <p className="soft">{words.everyRefusedText}</p>
      <RefusedList list={list} page={here.to("/operator/refused-callbacks")} ofAll />
    </Page>
  );
}
