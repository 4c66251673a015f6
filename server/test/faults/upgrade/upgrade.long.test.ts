import { testGoingOn } from "#test/support/upgrade/test-going-on.ts";
import { readWritten } from "#test/support/upgrade/written.ts";

// Older, with fewer states.
await testGoingOn(readWritten(new URL("../../support/upgrade/written-by-10a5f56.json.gz", import.meta.url)));
await testGoingOn(readWritten(new URL("../../support/upgrade/written-by-09da3fa.json.gz", import.meta.url)), { untilTheEnd: true });
