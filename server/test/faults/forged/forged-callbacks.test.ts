import { testForgedCallbacks } from "./forged-callbacks.ts";

testForgedCallbacks(10);
