import { testGoingOn } from "./test-going-on.ts";
import { readWritten } from "./written.ts";

await testGoingOn(readWritten(new URL("written-by-09da3fa.json.gz", import.meta.url)), { untilTheEnd: true });
