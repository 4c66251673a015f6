import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { useSearch } from "../../parts/filters/search.ts";
import { Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { logWords } from "../gateways/log/log.words.ts";
import { type RefusedCallback, RefusedList } from "../gateways/log/refused-callbacks.tsx";
import "../gateways/parts/gateways.css";

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
