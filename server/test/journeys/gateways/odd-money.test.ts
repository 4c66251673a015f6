import { testOddMoney } from "./odd-money.ts";

// Pass the seed that a run printed to repeat that run.
testOddMoney(Math.floor(Math.random() * 1_000_000));
