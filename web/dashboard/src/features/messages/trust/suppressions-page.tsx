import { Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../../data/client.ts";
import { fieldErrors, useNotify } from "../../../data/errors.tsx";
import { type Here, useHere } from "../../../data/here.tsx";
import { useAction, useList } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { useSearch } from "../../../parts/filters/search.ts";
import { SuspendedNote } from "../../../parts/notes/suspended-note.tsx";
import { type Column, Listing } from "../../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../../parts/pages/page.tsx";
import { Badge } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { trustWords } from "./trust.words.ts";
import "../parts/messages.css";

type Suppression = Objects["Suppression"];

const reasons = ["bounce", "complaint", "unsubscribe", "manual"] as const;

export default function SuppressionsPage() {
  const words = useWords(trustWords);
  const here = useHere();
  const { values, set } = useSearch();
  const list = useList<Suppression>("GET /v1/suppressions", { query: { reason: values["reason"], q: values["q"] } });
  const [lifting, setLifting] = useState<Suppression | null>(null);
  const labelOf = (reason: Suppression["reason"]) => (reason === "unsubscribe" ? words.unsubscribedOrOptedOut : words.reasons[reason]);
  const add = here.may("suppressions") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.add}
    </Button>
  ) : null;
  return (
    <Page title={words.suppressions} actions={add}>
      <SuspendedNote />
      <p className="soft">{words.suppressionsText}</p>
      <Listing
        list={list}
        label={words.suppressions}
        search={words.address}
        filters={[{ name: "reason", label: words.reason, options: reasons.map((value) => ({ value, label: labelOf(value) })) }]}
        idOf={(one) => one.id}
        columns={useColumns(here, setLifting)}
        empty={<Empty title={words.noSuppressions} text={words.noSuppressionsText} />}
      />
      <Add open={values["new"] !== undefined} onClose={() => set({ new: undefined })} />
      {lifting === null ? null : <Lift suppression={lifting} onClose={() => setLifting(null)} />}
    </Page>
  );
}

function useColumns(here: Here, onLift: (suppression: Suppression) => void): Column<Suppression>[] {
  const words = useWords(trustWords);
  const all = useWords(shared);
  const named = useNamed();
  return [
    {
      label: words.address,
      phone: "title",
      show: (one) => (
        <strong className="cut" title={named(one)}>
          {named(one)}
        </strong>
      ),
    },
    { label: words.reason, phone: "note", show: (one) => <Reason suppression={one} here={here} /> },
    {
      label: words.until,
      show: (one) => (one.expires_at === null ? <span className="soft">{words.forGood}</span> : <When at={one.expires_at} />),
    },
    { label: all.created, phone: "state", show: (one) => <When at={one.created_at} /> },
    {
      label: all.actions,
      end: true,
      phone: "amount",
      show: (one) =>
        here.may("suppressions") ? (
          <Button variant="default" size="xs" aria-label={all.about(words.lift, named(one))} onClick={() => onLift(one)}>
            {words.lift}
          </Button>
        ) : null,
    },
  ];
}

/** The two numbers if one opted out of the other's SMS; otherwise null. */
function partiesOf({ channel, address }: Suppression): { number: string; sender: string } | null {
  const [number = "", sender] = address.split("/");
  return channel === "email" || sender === undefined ? null : { number, sender };
}

/** What is suppressed, as people read it. */
function useNamed(): (suppression: Suppression) => string {
  const words = useWords(trustWords);
  return (suppression) => {
    const parties = partiesOf(suppression);
    return parties === null ? suppression.address : words.smsFrom(parties.number, parties.sender);
  };
}

function Reason({ suppression: { reason, channel, source_id }, here }: { suppression: Suppression; here: Here }) {
  const words = useWords(trustWords);
  const isOptOut = reason === "unsubscribe" && channel !== "email";
  const badge = <Badge tone={reason === "manual" ? "plain" : "expired"}>{isOptOut ? words.optedOut : words.reasons[reason]}</Badge>;
  const pages = { em_: "/messages", sms_: "/sms" };
  const page = Object.entries(pages).find(([prefix]) => source_id?.startsWith(prefix) === true)?.[1];
  return page === undefined ? badge : <Link to={here.to(`${page}/${source_id}`)}>{badge}</Link>;
}

function Add({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = useWords(trustWords);
  const { language } = useLanguage();
  const [address, setAddress] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const action = useAction("POST /v1/suppressions", { onRefused: () => true });
  const add = async () => {
    await action.mutateAsync({ body: { address: address.trim() } }).catch((error: unknown) => {
      setFault(fieldErrors(error, language)["address"]);
      throw error;
    });
    setAddress("");
    setFault(undefined);
  };
  return (
    <Ask title={words.add} open={open} onClose={onClose} does={words.add} onDo={add} disabled={!address.includes("@")}>
      <TextInput
        label={words.address}
        type="email"
        placeholder="ada@example.com"
        data-autofocus
        value={address}
        error={fault}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
    </Ask>
  );
}

function Lift({ suppression, onClose }: { suppression: Suppression; onClose(): void }) {
  const words = useWords(trustWords);
  const notify = useNotify();
  const action = useAction("DELETE /v1/suppressions/{id}", { onRefused: () => true });
  const parties = partiesOf(suppression);
  const lift = async () => {
    await action.mutateAsync({ path: { id: suppression.id } });
    notify.done(words.lifted);
  };
  return (
    <Ask title={words.lift} open onClose={onClose} does={words.lift} onDo={lift}>
      <p>{parties === null ? words.liftText(suppression.address) : words.liftOneText(parties.number, parties.sender)}</p>
    </Ask>
  );
}
