import { Button, TextInput } from "@mantine/core";
import { IconDownload, IconPlus, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useApi } from "../../data/queries.ts";
import { saveFile } from "../../parts/files/save-file.ts";
import { Empty, Loaded, Page } from "../../parts/pages/page.tsx";
import { useCountryName } from "../../parts/shown/country.tsx";
import { useWords } from "../../words/language.tsx";
import { EditPrice } from "./edit-price.tsx";
import { ImportPrices } from "./import-prices.tsx";
import { PriceRows } from "./price-rows.tsx";
import { channelsWithGaps, csvOf, type Price, type Table } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";
import "./prices.css";

type Asking = { price: Price | null } | "import" | null;

export default function PricesPage() {
  const words = useWords(priceWords);
  const [asking, setAsking] = useState<Asking>(null);
  const read = useApi("GET /api/admin/message-prices");
  const table = read.data;
  return (
    <Page
      title={words.title}
      acts={
        <>
          {table === undefined || table.prices.length === 0 ? null : (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.5} />}
              onClick={() => saveFile("message-prices.csv", new Blob([csvOf(table.prices)], { type: "text/csv" }))}
            >
              {words.export}
            </Button>
          )}
          <Button variant="default" leftSection={<IconUpload size={16} stroke={1.5} />} onClick={() => setAsking("import")}>
            {words.import}
          </Button>
          <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => setAsking({ price: null })}>
            {words.add}
          </Button>
        </>
      }
    >
      <p className="soft">{words.text}</p>
      <Loaded read={read}>
        {(loaded) => (
          <>
            {loaded.prices.length === 0 ? (
              <Empty title={words.emptyTitle} text={words.emptyText} />
            ) : (
              <Prices table={loaded} onEdit={(price) => setAsking({ price })} />
            )}
            {asking === "import" ? <ImportPrices table={loaded} onClose={() => setAsking(null)} /> : null}
            {asking === null || asking === "import" ? null : <EditPrice table={loaded} price={asking.price} onClose={() => setAsking(null)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Prices({ table, onEdit }: { table: Table; onEdit(price: Price): void }) {
  const words = useWords(priceWords);
  const name = useCountryName();
  const [wanted, setWanted] = useState("");
  const text = wanted.trim().replace(/^\+/, "").toLowerCase();
  const nameOf = ({ destination }: Price) => (/^[A-Z]{2}$/.test(destination) ? name(destination).toLowerCase() : "");
  const found = table.prices.filter((price) => price.destination.toLowerCase().startsWith(text) || nameOf(price).includes(text));
  return (
    <>
      {channelsWithGaps(table.prices).map((channel) => (
        <p key={channel} className="note">
          {words.gaps[channel]}
        </p>
      ))}
      <div className="filter-line price-line">
        <TextInput
          className="search-field"
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <span className="soft">{words.count(found.length)}</span>
      </div>
      <PriceRows prices={found} currency={table.currency ?? "USD"} onEdit={onEdit} />
    </>
  );
}
