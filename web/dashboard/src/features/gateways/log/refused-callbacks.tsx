import { IconCode } from "@tabler/icons-react";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useList } from "../../../data/queries.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { stringifySearch, useSearch, useSearchText } from "../../../parts/filters/search.ts";
import { type Column, type Infinite, Listing } from "../../../parts/pages/list-page.tsx";
import { Facts } from "../../../parts/pages/object-page.tsx";
import { Empty, Section } from "../../../parts/pages/page.tsx";
import { CodeBlock } from "../../../parts/shown/raw-json.tsx";
import { Badge } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { type Account, accountRoute } from "../parts/account.ts";
import { logWords } from "./log.words.ts";

export type RefusedCallback = Objects["RefusedCallback"];

/** Refused requests to an account's callback URL. */
export function RefusedCallbacks({ account }: { account: Account }) {
  const words = useWords(logWords);
  const here = useHere();
  const { values } = useSearch();
  const path = { slug: account.gateway, id: account.id };
  const list = useList<RefusedCallback>(`GET ${accountRoute}/refused-callbacks`, { path, query: { reason: values["reason"] } });
  return (
    <Section title={words.refused}>
      <p className="soft">{words.refusedText}</p>
      <RefusedList list={list} page={here.to(`/gateways/${account.gateway}/${account.id}`)} />
    </Section>
  );
}

/** Refused callbacks with their reasons; one of them opens over the page that lists it. */
export function RefusedList({ list, page, ofAll = false }: { list: Infinite<RefusedCallback>; page: string; ofAll?: boolean }) {
  const words = useWords(logWords);
  const { values, set } = useSearch();
  const opened = useSearchText("callback");
  const callback = list.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === opened);
  const reasons = Object.entries(words.reasons);
  return (
    <>
      <Listing
        list={list}
        label={words.refused}
        filters={[{ name: "reason", label: words.reason, options: reasons.map(([value, label]) => ({ value, label })) }]}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `${page}${stringifySearch({ ...values, callback: id })}`}
        columns={useColumns(ofAll)}
        empty={<Empty title={words.noRefused} text={words.noRefusedText} />}
      />
      <Dialog opened={callback !== undefined} onClose={() => set({ callback: undefined })} title={words.refusedOne} size="lg">
        {callback === undefined ? null : <Opened callback={callback} />}
      </Dialog>
    </>
  );
}

function useColumns(ofAll: boolean): Column<RefusedCallback>[] {
  const words = useWords(logWords);
  const nameOf = useProviderName();
  const gateway: Column<RefusedCallback> = { label: words.gateway, phone: "note", show: (callback) => nameOf(callback.gateway) };
  return [
    { label: words.received, phone: "title", show: ({ received_at }) => <When at={received_at} long /> },
    ...(ofAll ? [gateway] : []),
    {
      label: words.reason,
      phone: "state",
      show: ({ reason }) => <Badge tone={reason === "nobody" ? "expired" : "failed"}>{words.reasons[reason] ?? reason}</Badge>,
    },
    { label: words.sentTo, ...(ofAll ? {} : { phone: "note" as const }), show: ({ path }) => <Path path={path} /> },
    { label: words.size, end: true, phone: "amount", show: ({ bytes }) => <span className="soft">{words.bytes(bytes)}</span> },
  ];
}

/** Its account is at its end, so it wraps rather than being cut. */
function Path({ path }: { path: string }) {
  return (
    <code translate="no" className="callback-path">
      {path}
    </code>
  );
}

function Opened({ callback }: { callback: RefusedCallback }) {
  const words = useWords(logWords);
  const { reason, path, bytes, body, truncated, received_at, headers } = callback;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="log-entry">
      <Facts
        facts={[
          { label: words.reason, value: words.reasons[reason] ?? reason },
          { label: words.received, value: <When at={received_at} long /> },
          { label: words.sentTo, value: <code translate="no">{path}</code> },
          { label: words.size, value: words.bytes(bytes) },
        ]}
      />
      <Section title={words.body}>
        {body === "" ? <p className="soft">{words.empty}</p> : <CodeBlock label={words.body} text={body} />}
        {truncated ? <p className="soft">{words.truncated}</p> : null}
      </Section>
      {lines.length === 0 ? null : (
        <details className="raw">
          <summary>
            <IconCode size={16} stroke={1.5} aria-hidden />
            {words.headers}
          </summary>
          <CodeBlock label={words.headers} text={lines.join("\n")} />
        </details>
      )}
    </div>
  );
}
