import { testForgedCallbacks } from "./forged-callbacks.ts";

testForgedCallbacks({ copies: 1_000, comparesEach: true });
