import { testGoingOn } from "#test/support/upgrade/test-going-on.ts";
import { readWritten } from "#test/support/upgrade/written.ts";

await testGoingOn(readWritten(new URL("../../support/upgrade/written-by-09da3fa.json.gz", import.meta.url)), { untilTheEnd: true });
