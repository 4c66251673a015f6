import { testGatewayRefunds } from "./gateway-refunds.ts";

testGatewayRefunds();
