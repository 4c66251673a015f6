import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useAction, useApi } from "../../../data/queries.ts";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { Loaded, Section } from "../../../parts/pages/page.tsx";
import { spanText, When } from "../../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { type Account, accountRoute, type Gateway } from "../parts/account.ts";
import { useInLanguage } from "../parts/credential-fields.tsx";
import { type SetupFacts, setupWords } from "./setup.words.ts";
import { saySilence } from "./silence.words.ts";
import { TestOrder } from "./test-order.tsx";

type Setup = Objects["GatewaySetup"];
type Finding = Setup["findings"][number];

interface Given {
  account: Account;
  gateway: Gateway;
}

/** What works for an account and what doesn't, and a button that queries the provider again. */
export function SetupCheck({ account, gateway }: Given) {
  const words = useWords(setupWords);
  const here = useHere();
  const path = { slug: gateway.slug, id: account.id };
  const read = useApi(`GET ${accountRoute}/setup`, { path });
  const check = useAction(`POST ${accountRoute}/check`, { success: words.ran });
  const run = here.may("gateways") ? (
    <Button loading={check.isPending} onClick={() => check.mutate({ path })}>
      {words.run}
    </Button>
  ) : null;
  return (
    <Section title={words.title} actions={run}>
      <Loaded read={read}>
        {(setup) => (
          <>
            <p>
              <strong>{words.outcomes[setup.outcome]}</strong>
            </p>
            <ul className="setup">
              {setup.findings.map((finding) => (
                <FindingLine key={finding.name} finding={finding} account={account} gateway={gateway} />
              ))}
            </ul>
            {setup.outcome === "problem" ? null : <TestOrder setup={setup} variant="default" />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const marks = { ok: IconCircleCheck, unknown: IconCircleDashed, attention: IconAlertTriangle, problem: IconCircleX };

function FindingLine({ finding, account, gateway }: Given & { finding: Finding }) {
  const words = useWords(setupWords);
  const say = useSentence({ account, gateway });
  const Mark = marks[finding.outcome];
  return (
    <li data-outcome={finding.outcome}>
      <Mark size={20} stroke={1.5} aria-hidden />
      <div>
        <div className="setup-head">
          <h3>{words.names[finding.name]}</h3>
          <span className="setup-mark">{words.marks[finding.outcome]}</span>
          {finding.at === null ? null : <When at={finding.at} />}
        </div>
        <p>{say(finding)}</p>
      </div>
    </li>
  );
}

/** A finding as a sentence in the reader's language. */
function useSentence({ account, gateway }: Given): (finding: Finding) => string {
  const words = useWords(setupWords);
  const { language, locale } = useLanguage();
  const name = useProviderName()(gateway.slug);
  const inLanguage = useInLanguage();
  return ({ name: of, outcome, reason, values }) => {
    const text = (key: string) => String(values[key] ?? "");
    const refusal = text("refusal");
    const field = gateway.credential_fields?.find((one) => one.name === values["field"]);
    const facts: SetupFacts = {
      name,
      message: reason === "unreachable" ? saySilence(account.check_error, language) : text("provider_message").replace(/[.。]$/, ""),
      refusal: (words.refusals as Record<string, string>)[refusal] ?? refusal,
      field: field === undefined ? text("field") : inLanguage(field.names),
      host: text("host"),
      currency: text("currency"),
      span: spanText(locale, Number(values["seconds"] ?? 0) * 1_000),
      failures: Number(values["failures"] ?? 0),
      verifiedBefore: outcome !== "problem",
    };
    const sentences: Record<string, (facts: SetupFacts) => string> = words.reasons[of];
    return sentences[reason]?.(facts) ?? reason;
  };
}
