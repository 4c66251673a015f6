import { useEffect, useState } from "react";
import { dateOf } from "../../data/zone.ts";

const lookMs = 20_000;

/** Today's date in a time zone, or on the reader's clock. It changes soon after midnight, or when a device that slept then is used. */
export function useToday(zone?: string): string {
  const [today, setToday] = useState(() => dateOf(new Date(), zone));
  useEffect(() => {
    const look = () => setToday(dateOf(new Date(), zone));
    look();
    const timer = setInterval(look, lookMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [zone]);
  return today;
}
