import { Link } from "@tanstack/react-router";
import { useHere } from "../../../data/here.tsx";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { type Fact, Facts } from "../../../parts/pages/object-page.tsx";
import { Section } from "../../../parts/pages/page.tsx";
import { Badge, type Tone } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { type Language, useLanguage, useWords } from "../../../words/language.tsx";
import type { Account } from "../parts/account.ts";
import { comparisonWords } from "./comparison.words.ts";
import { saySilence } from "./silence.words.ts";

type Comparison = NonNullable<Account["comparison"]>;
type Words = (typeof comparisonWords)[Language];

const tones: Record<Comparison["status"], Tone> = { equal: "paid", different: "waiting", failed: "failed", unlisted: "expired" };

/** How the account's payments compare with the provider's own list, and where to look at differences. */
export function DailyComparison({ account: { gateway, comparison } }: { account: Pick<Account, "gateway" | "comparison"> }) {
  const words = useWords(comparisonWords);
  const name = useProviderName()(gateway);
  return (
    <Section title={words.title}>
      {comparison === null ? (
        <p className="soft">{words.none(name)}</p>
      ) : (
        <Compared comparison={comparison} gateway={gateway} name={name} />
      )}
    </Section>
  );
}

function Compared({ comparison, gateway, name }: { comparison: Comparison; gateway: string; name: string }) {
  const words = useWords(comparisonWords);
  const here = useHere();
  const sentence = useSentence(comparison, name);
  return (
    <>
      <div>
        <Badge tone={tones[comparison.status]}>{words.states[comparison.status]}</Badge>
      </div>
      <p>
        {sentence}{" "}
        {comparison.status === "different" ? (
          <Link to={here.to("/exceptions")} search={{ gateway } as never}>
            {words.seeExceptions}
          </Link>
        ) : null}
      </p>
      {comparison.status === "unlisted" ? null : <Facts facts={factsOf(comparison, words)} />}
    </>
  );
}

function useSentence({ status, lines, error }: Comparison, name: string): string {
  const words = useWords(comparisonWords);
  const { language } = useLanguage();
  if (status === "equal") return lines === 0 ? words.equalEmpty(name) : words.equal(name);
  if (status === "different") return words.different(name);
  if (status === "unlisted") return words.unlisted(name);
  return words.failed(name, saySilence(error, language));
}

/** A failed comparison shows how far the account was compared before it. */
function factsOf({ status, ran_at, compared_until, lines, differences }: Comparison, words: Words): (Fact | null)[] {
  return [
    compared_until === null ? null : { label: words.until, value: <When at={compared_until} long /> },
    compared_until === null ? null : { label: words.lines, value: lines },
    compared_until === null ? null : { label: words.differences, value: differences },
    { label: status === "failed" ? words.triedAt : words.ranAt, value: <When at={ran_at} long /> },
  ];
}
