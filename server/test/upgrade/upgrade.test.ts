import { testGoingOn } from "./test-going-on.ts";
import { readWritten } from "./written.ts";

await testGoingOn(readWritten(new URL("written-by-10a5f56.json.gz", import.meta.url)));
