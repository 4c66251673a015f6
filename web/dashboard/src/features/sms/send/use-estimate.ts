import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { keyOf } from "../../../data/queries.ts";

export type Estimate = Objects["SmsEstimate"];

/** Long enough that a word is sent once. */
const typingMs = 250;

/** What a text needs, as the server counts it; null while there isn't one, or it couldn't be sent. */
export function useEstimate(body: string): Estimate | null {
  const here = useHere();
  const [debounced] = useDebouncedValue(body, typingMs);
  const route = "POST /v1/sms/estimate";
  const hasText = debounced.trim() !== "" && here.may("sms");
  const read = useQuery({
    queryKey: keyOf(here, route, debounced),
    queryFn: ({ signal }) => here.client.plain<Estimate>(route, { body: { body: debounced }, signal }),
    enabled: hasText,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return hasText && body.trim() !== "" ? (read.data ?? null) : null;
}
