import { followBriefly, isOfMessaging } from "#test/support/guides/follow-briefly.ts";

followBriefly(isOfMessaging);
