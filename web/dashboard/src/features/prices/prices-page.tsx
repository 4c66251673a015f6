import { Button, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconDownload, IconPlus, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useApi } from "../../data/queries.ts";
import { saveFile } from "../../parts/files/save-file.ts";
import { Empty, Loaded, Page } from "../../parts/pages/page.tsx";
import { useCountryName } from "../../parts/shown/country.tsx";
import { useWords } from "../../words/language.tsx";
import { EditPrice, type PriceStart } from "./edit-price.tsx";
import { ImportPrices } from "./import-prices.tsx";
import { PriceRows } from "./price-rows.tsx";
import { channelsWithGaps, csvOf, type Price, type Table } from "./price-table.ts";
import { priceWords } from "./prices.words.ts";
import "./prices.css";

type OpenDialog = { price: Price | null; start?: PriceStart } | "import" | null;

export default function PricesPage() {
  const words = useWords(priceWords);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const read = useApi("GET /api/admin/message-prices");
  const table = read.data;
  return (
    <Page title={words.title} actions={<Actions table={table} onOpen={setOpenDialog} />}>
      <p className="soft">{words.text}</p>
      <Loaded read={read}>
        {(loaded) => (
          <>
            {loaded.prices.length === 0 ? (
              <Empty title={words.emptyTitle} text={words.emptyText} />
            ) : (
              <Prices
                table={loaded}
                onEdit={(price) => setOpenDialog({ price })}
                onFill={(channel) => setOpenDialog({ price: null, start: { channel, destination: "*" } })}
              />
            )}
            {openDialog === "import" ? <ImportPrices table={loaded} onClose={() => setOpenDialog(null)} /> : null}
            {openDialog === null || openDialog === "import" ? null : (
              <EditPrice table={loaded} price={openDialog.price} start={openDialog.start} onClose={() => setOpenDialog(null)} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ActionsProps {
  table: Table | undefined;
  onOpen(dialog: OpenDialog): void;
}

function Actions({ table, onOpen }: ActionsProps) {
  const words = useWords(priceWords);
  return (
    <div className="price-actions">
      {table === undefined || table.prices.length === 0 ? null : (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.5} />}
          onClick={() => saveFile("message-prices.csv", new Blob([csvOf(table.prices)], { type: "text/csv" }))}
        >
          {words.export}
        </Button>
      )}
      <Button variant="default" leftSection={<IconUpload size={16} stroke={1.5} />} onClick={() => onOpen("import")}>
        {words.import}
      </Button>
      <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => onOpen({ price: null })}>
        {words.add}
      </Button>
    </div>
  );
}

interface PricesProps {
  table: Table;
  onEdit(price: Price): void;
  /** Adds the price that a channel lacks for everywhere else. */
  onFill(channel: Price["channel"]): void;
}

function Prices({ table, onEdit, onFill }: PricesProps) {
  const words = useWords(priceWords);
  const name = useCountryName();
  const [wanted, setWanted] = useState("");
  const text = wanted.trim().replace(/^\+/, "").toLowerCase();
  const nameOf = ({ destination }: Price) => (/^[A-Z]{2}$/.test(destination) ? name(destination).toLowerCase() : "");
  const found = table.prices.filter((price) => price.destination.toLowerCase().startsWith(text) || nameOf(price).includes(text));
  return (
    <>
      {channelsWithGaps(table.prices).map((channel) => (
        <div key={channel} className="note price-gap">
          <IconAlertTriangle size={20} stroke={1.5} aria-hidden />
          <p>{words.gaps[channel]}</p>
          <Button variant="default" size="xs" onClick={() => onFill(channel)}>
            {words.fill}
          </Button>
        </div>
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
