import type { Objects } from "../../data/client.ts";
import { useZone } from "../../data/here.tsx";
import { wallClock } from "../../data/zone.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { transportWords } from "./transports.words.ts";

type Channel = Objects["TransportHealth"]["channels"][number];

/** What was sent per minute, with failures on top; the total is the headline. */
export function Minutes({ channel, minutes }: { channel: Channel["channel"]; minutes: Channel["transports"][number]["minutes"] }) {
  const words = useWords(transportWords);
  const { locale } = useLanguage();
  const zone = useZone();
  const sum = (figure: "handed" | "failed") => minutes.reduce((total, one) => total + one[figure], 0);
  const [handed, failed] = [sum("handed"), sum("failed")];
  const most = Math.max(...minutes.map((one) => one.handed + one.failed));
  if (most === 0) return <p className="soft minutes-none">{words.nothing}</p>;
  const time = (at: string) => wallClock(new Date(at), zone).slice(11, 16);
  const unit = { email: words.handed, sms: words.parts, call: words.called }[channel];
  const number = (value: number) => value.toLocaleString(locale);
  return (
    <figure className="minutes" aria-label={words.chart}>
      <p>
        <strong>{number(handed)}</strong> {unit(handed)}
        {failed === 0 ? null : (
          <>
            {" · "}
            <span className="minutes-failed">{words.failed(number(failed))}</span>
          </>
        )}
      </p>
      <ol>
        {minutes.map((one) => {
          const label = words.minute(time(one.minute), number(one.handed), number(one.failed));
          return (
            <li key={one.minute} title={label}>
              <span className="minutes-bad" style={{ height: `${(one.failed / most) * 100}%` }} />
              <span className="minutes-good" style={{ height: `${(one.handed / most) * 100}%` }}>
                <span className="unseen">{label}</span>
              </span>
            </li>
          );
        })}
      </ol>
      <figcaption className="spread soft">
        <span>{time(minutes[0]?.minute ?? "")}</span>
        <span>{time(minutes.at(-1)?.minute ?? "")}</span>
      </figcaption>
    </figure>
  );
}
