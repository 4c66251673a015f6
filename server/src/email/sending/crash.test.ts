import { randomInt } from "node:crypto";
import { testMailCrashes } from "#test/support/mail/mail-crashes.ts";

const stride = 3;

testMailCrashes({ first: 1 + randomInt(stride), stride });
