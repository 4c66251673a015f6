import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { clientFor } from "../../data/client.ts";
import { fieldErrors } from "../../data/errors.tsx";
import { type Here, useHere } from "../../data/here.tsx";
import { keyOf, type Listed } from "../../data/queries.ts";
import { Field } from "../../parts/fields/field.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { codeWords } from "./codes.words.ts";
import { type Channel, hasCode, type Profile } from "./profile.ts";
import type { Given } from "./upload-code.tsx";

const route = "GET /api/v1/projects/{projectId}/collection-profiles";
/** The server's name for a merchant's first account at a wallet. */
const firstName = "main";
const namePattern = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;
/** What can be chosen besides an account; no account's name has a colon. */
const [automatic, newAccount] = [":automatic", ":new"];
/** Projects that the label of an account names. */
const mostNames = 3;

/** True if codes of this wallet may pay into different accounts: the merchant has another project, or this one's account was named. */
export function hasAccounts(here: Here, profile: Profile | undefined): boolean {
  return siblingsOf(here).length > 0 || (profile !== undefined && profile.account_ref !== firstName);
}

function siblingsOf({ me, project }: Here) {
  return me.projects.filter(({ id, merchant_id }) => merchant_id === project.merchant_id && id !== project.id);
}

/** Accounts that codes of the merchant's other projects pay into, with the names of these projects. */
function useAccounts(channel: Channel): Map<string, string[]> {
  const here = useHere();
  const siblings = siblingsOf(here);
  const read = useQuery({
    queryKey: keyOf(here, route, { of: siblings.map(({ id }) => id) }),
    enabled: siblings.length > 0,
    queryFn: ({ signal }) =>
      Promise.all(
        siblings.map(async ({ id, name }) => {
          const client = clientFor(here.livemode, id);
          const { data } = await client.plain<Listed<Profile>>(route, { path: { projectId: id }, signal });
          return { name, profiles: data };
        }),
      ),
  });
  const accounts = new Map<string, string[]>();
  for (const { name, profiles } of read.data ?? []) {
    const account = profiles.find((one) => one.channel === channel)?.account_ref;
    if (account !== undefined) accounts.set(account, [...(accounts.get(account) ?? []), name]);
  }
  return accounts;
}

type AccountChoice = ReturnType<typeof useAccount>;

/** The account that the code pays into: the server's choice unless the reader makes one. */
export function useAccount(profile: Profile | undefined, given: Given | null) {
  const here = useHere();
  const { language } = useLanguage();
  const [choice, setChoice] = useState(automatic);
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<{ fault: string; given: Given | null } | null>(null);
  // It was about the code that was given then.
  const fault = refusal?.given === given ? refusal?.fault : undefined;
  const isShown = hasAccounts(here, profile) || (given !== null && hasCode(profile)) || fault !== undefined;
  const chosen = choice === newAccount ? name.trim() : choice;
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setRefusal(null);
      set(value);
    };
  return {
    ...{ choice, name, fault, isShown },
    choose: changing(setChoice),
    write: changing(setName),
    isComplete: !isShown || choice !== newAccount || namePattern.test(chosen),
    body: isShown && choice !== automatic ? { account_ref: chosen } : {},
    refused(error: unknown): never {
      const said = fieldErrors(error, language)["account_ref"];
      if (said !== undefined) setRefusal({ fault: said, given });
      throw error;
    },
  };
}

/** The choice of the account, if there is one to make. */
export function AccountField({ account, channel, profile }: { account: AccountChoice; channel: Channel; profile: Profile | undefined }) {
  const words = useWords(codeWords);
  const current = profile?.account_ref ?? null;
  const others = [...useAccounts(channel)].filter(([one]) => one !== current);
  const { choice, name, fault } = account;
  if (!account.isShown) return null;
  const isNew = choice === newAccount;
  return (
    <>
      <Select
        label={words.account}
        description={words.accountHint}
        data={[
          { value: automatic, label: words.automatic(current) },
          ...others.map(([value, projects]) => ({ value, label: words.accountOf(value, ...namesOf(projects)) })),
          { value: newAccount, label: words.newAccount },
        ]}
        value={choice}
        error={isNew ? undefined : fault}
        onChange={(value) => account.choose(value ?? automatic)}
        allowDeselect={false}
      />
      {isNew ? (
        <Field
          label={words.accountName}
          description={words.accountNameHint}
          maxLength={64}
          autoComplete="off"
          value={name}
          error={fault ?? (name.trim() === "" || account.isComplete ? undefined : words.badAccountName)}
          onWrite={account.write}
        />
      ) : null}
    </>
  );
}

function namesOf(projects: string[]): string[] {
  return projects.length > mostNames ? [...projects.slice(0, mostNames), "…"] : projects;
}
