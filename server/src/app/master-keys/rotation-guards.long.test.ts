import { rotationWorld, testInterruptions } from "#test/support/sealed/rotation-world.ts";

testInterruptions(await rotationWorld(), { rotations: 4, revocations: 3 });
