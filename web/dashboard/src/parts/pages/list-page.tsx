import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import type { Listed } from "../../data/queries.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { type Filter, Filters, namesOf } from "../filters/filters.tsx";
import { SavedViews } from "../filters/saved-views.tsx";
import { useSearch } from "../filters/search.ts";
import { Empty, RowSkeletons, Trouble } from "./page.tsx";

export interface Column<T> {
  label: string;
  show(row: T): ReactNode;
  end?: boolean;
  /** Its place in the two lines of a phone's row, `pick` before both; left out there if absent. The label of `pick` is only read aloud. */
  phone?: "pick" | "title" | "note" | "amount" | "state";
}

export interface Infinite<T> {
  data?: { pages: Listed<T>[] } | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

export interface RowsProps<T> {
  list: Infinite<T>;
  /** As long as these don't change, rows already shown aren't drawn again. */
  columns: Column<T>[];
  idOf(row: T): string;
  /** URL of a row's page. */
  hrefOf?(row: T): string;
  empty: ReactNode;
  label: string;
  /** True if it always shows the number of rows below. With more than one page it always does. */
  foot?: boolean;
}

export interface ListingProps<T> extends RowsProps<T> {
  filters: Filter[];
  /** Label of the search field; none if absent. */
  search?: string;
  /** Label of the filter by days; none if absent. Read it with `periodOf`. */
  period?: string;
  /** The name under which views of the list are saved. */
  views?: string;
  /** Between the filters and the rows: what can be done to selected ones. */
  bar?: ReactNode;
}

/** A list with its filters: chips in the URL, rows of 44 px, more at the click of a button. */
export function Listing<T>({ filters, search, period, views, bar, ...rows }: ListingProps<T>) {
  const { values } = useSearch();
  const words = useWords(shared);
  const filtered = namesOf(filters).some((name) => values[name] !== undefined);
  return (
    <>
      <div className="filter-line">
        <Filters filters={filters} search={search} period={period} />
        {views === undefined ? null : <SavedViews name={views} />}
      </div>
      {bar}
      <Rows {...rows} empty={filtered ? <Empty title={words.nothingFits} /> : rows.empty} />
    </>
  );
}

/** Only the rows of a list. */
export function Rows<T>({ list, columns, idOf, hrefOf, empty, label, foot = true }: RowsProps<T>) {
  if (list.data === undefined)
    return list.error === null ? <RowSkeletons count={8} /> : <Trouble error={list.error} again={() => void list.refetch()} />;
  const rows = list.data.pages.flatMap(({ data }) => data);
  const day = new Date().toDateString();
  if (rows.length === 0) return empty;
  return (
    <>
      <div className="rows-frame" data-stale={list.isPlaceholderData}>
        <table className="rows" aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.label} scope="col" data-end={column.end}>
                  {column.phone === "pick" ? <span className="unseen">{column.label}</span> : column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={idOf(row)} row={row} columns={columns} href={hrefOf?.(row)} day={day} />
            ))}
          </tbody>
        </table>
      </div>
      {foot || list.hasNextPage ? <Foot list={list} count={rows.length} /> : null}
    </>
  );
}

interface RowProps<T> {
  row: T;
  columns: Column<T>[];
  href: string | undefined;
  /** After midnight the same times are shown with their date. */
  day: string;
}

/** Only new rows are drawn: otherwise each added page would redraw all previous ones twice. */
const Row = memo(RowOf) as typeof RowOf;

function RowOf<T>({ row, columns, href }: RowProps<T>) {
  return (
    <tr data-link={href !== undefined}>
      {columns.map((column, index) => (
        <td key={column.label} data-end={column.end} data-phone={column.phone}>
          {index === 0 && href !== undefined ? (
            <Link to={href} className="row-link">
              {column.show(row)}
            </Link>
          ) : (
            column.show(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function Foot<T>({ list, count }: { list: Infinite<T>; count: number }) {
  const words = useWords(shared);
  return (
    <div className="rows-foot">
      <span className="soft">{words.shown(count, list.hasNextPage)}</span>
      {list.hasNextPage ? (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      ) : null}
    </div>
  );
}
