import { testMailCrashes } from "#test/support/mail/mail-crashes.ts";

testMailCrashes({ first: 1, stride: 1 });
