import { currencyCodes } from '../../src/demo/currency-service/exchange-rates.js';
import type { KnownAnswer } from './load-task.js';

/** Specification 2.4: `0` and the rate in 6 characters, padded with zeros on the left. */
const RATE_CHARACTERS = 6;
const FAULT_CHARACTERS = 32;
const SERVICE_PATH = '/CurrencyConvertor.asmx';

/** Records by specification 2.4. The rates are read over the plain HTTP binding, which no contender uses. */
export async function rateAnswers(demoOrigin: string): Promise<KnownAnswer[]> {
  const answers: KnownAnswer[] = [];
  for (const from of currencyCodes) {
    for (const to of currencyCodes) {
      const reply = await fetch(`${demoOrigin}${SERVICE_PATH}/ConversionRate?FromCurrency=${from}&ToCurrency=${to}`);
      const rate = /<double[^>]*>([^<]+)</.exec(await reply.text())?.[1];
      if (rate === undefined) throw new Error(`the demo service gives no rate of ${from} and ${to}`);
      answers.push({ path: pathOf(from, to), body: `0${rate.padStart(RATE_CHARACTERS, '0')}` });
    }
  }
  return answers;
}

/** A SOAP 1.2 fault: `1` and three areas of 32 characters. */
export function faultAnswer(demoOrigin: string): KnownAnswer {
  const areas = ['soap12:Sender', 'Unknown currency code QQQ', demoOrigin + SERVICE_PATH];
  const body = `1${areas.map((area) => area.padEnd(FAULT_CHARACTERS).slice(0, FAULT_CHARACTERS)).join('')}`;
  return { path: pathOf('EUR', 'QQQ'), body };
}

function pathOf(from: string, to: string): string {
  return `/WS1.HTML+WS3?FROMCURRENCY=${from}&TOCURRENCY=${to}`;
}
