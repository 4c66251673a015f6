import { testVerificationCrashes } from "#test/support/messages/verification-crashes.ts";

testVerificationCrashes({ first: 1, stride: 1 });
