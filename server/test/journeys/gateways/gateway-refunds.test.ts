import { testGatewayRefunds } from "./gateway-refunds.ts";

// Pass the seed that a run printed to repeat that run.
testGatewayRefunds(Math.floor(Math.random() * 1_000_000));
