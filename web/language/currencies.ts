// Written by `npm run generate` from server/src/platform/money/currencies.ts. Do not edit.

// The server and the web use the same file: `npm run generate` copies it. It imports nothing.
// `Intl` can't be asked: browsers take the decimals from CLDR, where those of IQD, RSD or HUF differ from ISO 4217 and between browsers.

/** ISO 4217 currencies whose exponent is not 2. */
const others: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

const twoDecimals =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG".split(
    " ",
  );

const exponents: ReadonlyMap<string, number> = new Map([...twoDecimals.map((code) => [code, 2] as const), ...Object.entries(others)]);

/** The number of decimals of a currency in ISO 4217, by its upper-case code; undefined if there is no such currency. */
export function isoExponent(currency: string): number | undefined {
  return exponents.get(currency);
}
