import { testForgedCallbacks } from "./forged-callbacks.ts";

testForgedCallbacks(1_000);
