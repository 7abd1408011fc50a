import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** Invented, constant rates per euro for examples and tests. The first two are from the specification's examples. */
export const euroRates = {
  EUR: 1,
  USD: 0.7236,
  GBP: 0.7312,
  CHF: 0.9485,
  SEK: 11.42,
  NOK: 11.685,
  DKK: 7.4604,
  PLN: 4.2575,
  CZK: 24.63,
  CAD: 1.4732,
  AUD: 1.6418,
  JPY: 158.35,
} as const;

type CurrencyCode = keyof typeof euroRates;

export const currencyCodes = Object.keys(euroRates) as readonly CurrencyCode[];

const LONGEST_RATE = 6;

const rates: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  currencyCodes.map((from) => [
    from,
    new Map(currencyCodes.map((to) => [to, formatRate(euroRates[to] / euroRates[from])])),
  ]),
);

/** Rate in plain decimal notation of at most 6 characters; the fault names the first unknown code. */
export function conversionRate(from: string, to: string): ReadOutcome<string> {
  const rate = rates.get(from)?.get(to);
  if (rate !== undefined) return readAs(rate);
  const unknown = rates.has(from) ? to : from;
  return readFault(`Unknown currency code ${unknown.slice(0, 16).replace(/[^A-Za-z0-9]/g, '?')}`);
}

function formatRate(value: number): string {
  const integerDigits = Math.trunc(value).toString().length;
  const decimals = Math.max(0, LONGEST_RATE - integerDigits - 1);
  const written = value.toFixed(decimals);
  return written.includes('.') ? written.replace(/\.?0+$/, '') : written;
}
