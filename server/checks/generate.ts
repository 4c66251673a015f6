import { fileURLToPath } from "node:url";
import { writeDocuments } from "./documents.ts";

/** A program: writes every generated document. */
for (const path of await writeDocuments(fileURLToPath(new URL("../..", import.meta.url)))) console.log(`wrote ${path}`);
