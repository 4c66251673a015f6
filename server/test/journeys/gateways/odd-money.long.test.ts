import { testOddMoney } from "./odd-money.ts";

testOddMoney();
