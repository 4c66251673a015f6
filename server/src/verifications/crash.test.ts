import { randomInt } from "node:crypto";
import { testVerificationCrashes } from "#test/support/messages/verification-crashes.ts";

const stride = 3;
const first = 1 + randomInt(stride);
console.info(`crash points of verifications: each third statement from ${first} on`);

testVerificationCrashes({ first, stride });
