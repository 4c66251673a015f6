import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useList } from "../../../data/queries.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import type { Filter } from "../../../parts/filters/filters.tsx";
import { type Search, stringifySearch, useSearch, useSearchText } from "../../../parts/filters/search.ts";
import { type Column, Listing } from "../../../parts/pages/list-page.tsx";
import { Facts } from "../../../parts/pages/object-page.tsx";
import { Empty, Section } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { Badge, type Tone } from "../../../parts/shown/status.tsx";
import { Took, When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { type Account, accountRoute } from "../parts/account.ts";
import { logWords } from "./log.words.ts";

type Attempt = Objects["GatewayAttempt"];

/** How urgent an outcome is: a provider that refuses works, one that doesn't respond doesn't. */
const tones: Record<string, Tone> = {
  succeeded: "paid",
  auth: "failed",
  unavailable: "failed",
  unknown_outcome: "failed",
  rate_limited: "waiting",
};

/** All requests to the provider for an account, the newest first; one of them opens over the page. */
export function ProviderAttempts({ account }: { account: Account }) {
  const words = useWords(logWords);
  const here = useHere();
  const { values, set } = useSearch();
  const opened = useSearchText("attempt");
  const query = { verb: values["verb"], outcome: values["outcome"], reference: values["reference"] };
  const list = useList<Attempt>(`GET ${accountRoute}/attempts`, { path: { slug: account.gateway, id: account.id }, query });
  const attempt = list.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === opened);
  const hrefOf = ({ id }: Attempt) =>
    `${here.to(`/gateways/${account.gateway}/${account.id}`)}${stringifySearch({ ...values, attempt: id })}`;
  return (
    <Section title={words.attempts}>
      <p className="soft">{words.attemptsText}</p>
      <Listing
        list={list}
        label={words.attempts}
        filters={useFilters(values)}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        columns={useColumns()}
        empty={<Empty title={words.noAttempts} text={words.noAttemptsText} />}
      />
      <Dialog opened={attempt !== undefined} onClose={() => set({ attempt: undefined })} title={words.attempt} size="lg">
        {attempt === undefined ? null : <Opened attempt={attempt} />}
      </Dialog>
    </Section>
  );
}

function useFilters(values: Search): Filter[] {
  const words = useWords(logWords);
  const optionsOf = (table: Record<string, string>) => Object.entries(table).map(([value, label]) => ({ value, label }));
  // Filtered by a payment only if a link did so, so that the filter can be removed.
  const named = [values["reference"] ?? []].flat().map((value) => ({ value, label: `…${value.slice(-6)}` }));
  return [
    { name: "verb", label: words.verb, options: optionsOf(words.verbs) },
    { name: "outcome", label: words.outcome, options: optionsOf(words.outcomes) },
    { name: "reference", label: words.reference, options: named },
  ];
}

function useColumns(): Column<Attempt>[] {
  const words = useWords(logWords);
  const all = useWords(shared);
  return [
    { label: words.verb, phone: "title", show: ({ verb }) => words.verbs[verb] ?? verb },
    { label: words.outcome, phone: "state", show: (attempt) => <Outcome attempt={attempt} /> },
    { label: words.message, show: (attempt) => <span className="cut soft">{messageOf(attempt, words.noAnswer) ?? "–"}</span> },
    { label: words.nthLabel, show: ({ attempt }) => <span className="soft">{words.nth(attempt)}</span> },
    { label: words.duration, end: true, phone: "amount", show: ({ duration_ms }) => <Took ms={duration_ms} /> },
    { label: all.time, end: true, phone: "note", show: ({ created_at }) => <When at={created_at} long /> },
  ];
}

/** The provider's own message. If the provider didn't respond, the server's English sentence is replaced by the reader's language. */
function messageOf({ code, message }: Attempt, noAnswer: string): string | null {
  return message !== null && (code === "timeout" || code === "connection") ? noAnswer : message;
}

function Outcome({ attempt: { outcome } }: { attempt: Attempt }) {
  const words = useWords(logWords);
  return <Badge tone={tones[outcome] ?? "expired"}>{words.outcomes[outcome] ?? outcome}</Badge>;
}

function Opened({ attempt }: { attempt: Attempt }) {
  const words = useWords(logWords);
  const all = useWords(shared);
  const { verb, reference, code, provider_request_id, request_id, exchanges } = attempt;
  const message = messageOf(attempt, words.noAnswer);
  return (
    <div className="log-entry">
      <Facts
        facts={[
          { label: words.verb, value: words.verbs[verb] ?? verb },
          { label: words.outcome, value: <Outcome attempt={attempt} /> },
          { label: words.nthLabel, value: words.nth(attempt.attempt) },
          { label: words.duration, value: <Took ms={attempt.duration_ms} /> },
          code === null ? null : { label: words.code, value: <code translate="no">{code}</code> },
          message === null ? null : { label: words.message, value: message },
          reference === null ? null : { label: words.reference, value: <Copyable text={reference} /> },
          provider_request_id === null ? null : { label: words.providerRequest, value: <Copyable text={provider_request_id} /> },
          request_id === null ? null : { label: words.request, value: <Copyable text={request_id} /> },
          { label: all.time, value: <When at={attempt.created_at} long /> },
        ]}
      />
      <Section title={words.exchanges}>
        <ul className="exchanges">
          {exchanges.map((exchange, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they stay in the order in which they were made
            <li key={index}>
              <code translate="no">
                {exchange.method} {exchange.url}
              </code>
              <span className="soft">
                {exchange.status ?? exchange.error_code ?? words.noAnswer} · <Took ms={exchange.duration_ms} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
