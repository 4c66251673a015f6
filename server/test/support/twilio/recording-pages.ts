interface Recording {
  sid: string;
  source: string;
  channels: number;
}

const [sizeUsual, sizeMax] = [50, 1_000];

/** One page of a call's recordings as Twilio documents it: the address of the next page is a path with a token, or null on the last. */
export function pageOf(recordings: readonly Recording[], url: URL, status: string): object {
  const wanted = Number(url.searchParams.get("PageSize") ?? sizeUsual);
  const size = Math.min(Math.max(wanted, 1), sizeMax);
  const [page, token] = [Number(url.searchParams.get("Page") ?? 0), url.searchParams.get("PageToken")];
  const start = token === null ? 0 : recordings.findIndex(({ sid }) => token === `PA${sid}`) + 1;
  const own = recordings.slice(start, start + size);
  const last = own.at(-1);
  const uri = (at: number, after = "") => `${url.pathname}?PageSize=${size}&Page=${at}${after}`;
  return {
    recordings: own.map((recording) => viewOf(recording, { of: url.pathname.replace(/\/Recordings\.json$/, ""), status })),
    ...{ page, page_size: size, start, end: start + own.length - 1 },
    first_page_uri: uri(0),
    previous_page_uri: page === 0 ? null : uri(page - 1),
    next_page_uri: last === undefined || start + size >= recordings.length ? null : uri(page + 1, `&PageToken=PA${last.sid}`),
    uri: uri(page),
  };
}

/** A recording with all the fields that Twilio lists, about a kilobyte. */
function viewOf({ sid, source, channels }: Recording, { of, status }: { of: string; status: string }): object {
  const [, , , account_sid = "", , call_sid = ""] = of.split("/");
  const root = `/2010-04-01/Accounts/${account_sid}`;
  const date = "Tue, 24 Nov 2026 08:00:00 +0000";
  return {
    ...{ account_sid, api_version: "2010-04-01", call_sid, conference_sid: null, channels, sid, source, status, error_code: null },
    ...{ date_created: date, date_updated: date, start_time: date, duration: "1", price: "-0.00250", price_unit: "USD" },
    encryption_details: null,
    media_url: `https://api.twilio.com${root}/Recordings/${sid}`,
    uri: `${of}/Recordings/${sid}.json`,
    subresource_uris: {
      add_on_results: `${root}/Recordings/${sid}/AddOnResults.json`,
      transcriptions: `${root}/Recordings/${sid}/Transcriptions.json`,
    },
  };
}
