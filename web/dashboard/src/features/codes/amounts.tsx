import { Button } from "@mantine/core";
import { IconAlertTriangle, IconBulb } from "@tabler/icons-react";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { useChannelCurrency } from "../../parts/filters/gateways.ts";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { codeWords } from "./codes.words.ts";
import { ownCodeOf, type Profile, unshownFields } from "./profile.ts";

/** The server's default. */
export const usualOffsetMinor = 99;

/** Prices whose amounts are nearly all in use, and what happens once they are. */
export function CrowdedPrices({ profile }: { profile: Profile }) {
  const words = useWords(codeWords);
  const { locale } = useLanguage();
  const currency = useChannelCurrency(profile.channel);
  if (profile.crowded_prices.length === 0) return null;
  return (
    <div className="note" data-tone="waiting">
      <IconAlertTriangle size={18} stroke={1.5} aria-hidden />
      <div>
        <strong>{words.crowdedTitle}</strong>
        {profile.matching.strict ? words.crowdedStrict : words.crowdedThen}
        <ul className="crowded">
          {profile.crowded_prices.map((one) => (
            <li key={one.amount_minor}>
              {words.crowded(moneyText(locale, one.amount_minor, currency), one.amounts_in_use, one.amounts_total)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Offers the default range, in one click, to merchants who confirm every payment, or whose amounts hardly differ. */
export function OfferAmounts({ profile }: { profile: Profile }) {
  const words = useWords(codeWords);
  const here = useHere();
  const { locale } = useLanguage();
  const currency = useChannelCurrency(profile.channel);
  const { mode, max_offset_minor: offset } = profile.matching;
  const action = useAction("PUT /api/v1/projects/{projectId}/collection-profiles/{channel}", { success: words.saved });
  const isNarrow = mode === "unique_amount" && offset < usualOffsetMinor;
  if (!here.may("codes") || profile.code_kind === "fixed_amount" || (mode !== "exact" && !isNarrow)) return null;
  const money = (minor: number) => moneyText(locale, minor, currency);
  const accept = () =>
    action.mutate({
      path: { channel: profile.channel },
      version: profile.version,
      body: {
        ...unshownFields(profile),
        ...ownCodeOf(profile),
        payee_name: profile.payee_name,
        session_minutes: profile.session_minutes,
        enabled: profile.enabled,
        matching: { ...profile.matching, mode: "unique_amount", max_offset_minor: usualOffsetMinor },
      },
    });
  return (
    <div className="note" data-tone="plain">
      <IconBulb size={18} stroke={1.5} aria-hidden />
      <div className="offer">
        <span>
          <strong>{words.offerTitle}</strong>
          {isNarrow ? words.offerMore(money(offset), money(usualOffsetMinor)) : words.offerExact(money(usualOffsetMinor))}
        </span>
        <Button variant="default" size="compact-sm" loading={action.isPending} onClick={accept}>
          {words.offer(money(usualOffsetMinor))}
        </Button>
      </div>
    </div>
  );
}
