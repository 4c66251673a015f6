import { testForgedCallbacks } from "./forged-callbacks.ts";

testForgedCallbacks({ copies: 10 });
