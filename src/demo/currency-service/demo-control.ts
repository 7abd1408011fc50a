import type { ServerResponse } from 'node:http';
import type { Log } from '../../lib/log/log.js';
import { foreignRequest } from '../../lib/network/foreign-request.js';
import { currencyCodes, euroRates } from './exchange-rates.js';
import { type FailureMode, failureModes, failures, isFailureMode } from './failure-mode.js';
import { type DemoExchange, readRequestForm, sendBody, sendJson, sendText } from './http-exchange.js';

interface DemoSettings {
  readonly failure: FailureMode;
  readonly delayMilliseconds: number;
}

const LONGEST_DELAY_MILLISECONDS = 60_000;

export class DemoControl {
  #settings: DemoSettings = { failure: 'none', delayMilliseconds: 0 };

  constructor(
    readonly log: Log,
    readonly host: string,
  ) {}

  showPage({ response }: DemoExchange, serviceUrl: string): void {
    response.setHeader('Content-Security-Policy', demoPagePolicy);
    response.setHeader('Cache-Control', 'no-store');
    sendBody(response, 200, 'text/html; charset=utf-8', demoPage(this.#settings, serviceUrl));
  }

  showSettings({ response }: DemoExchange): void {
    sendJson(response, 200, this.#settings);
  }

  /** Accepts `failure` and `delay` in the query or in a form. Browsers are redirected to the page. */
  change(exchange: DemoExchange): void {
    const { request, response, query } = exchange;
    if (foreignRequest(request, this.host) !== undefined) {
      sendText(response, 403, 'Another site must not change the settings.\n');
      return;
    }
    readRequestForm(exchange, (form) => {
      const inQuery = new URLSearchParams(query);
      const value = (name: string) => inQuery.get(name) ?? form.get(name) ?? undefined;
      const changed = changedSettings(response, this.#settings, value('failure'), value('delay'));
      if (changed === undefined) return;
      this.#settings = changed;
      this.log.info({ ...changed }, 'demo currency service: settings changed');
      if (request.headers.accept?.includes('text/html')) {
        response.writeHead(303, { Location: '/', 'Content-Length': 0 }).end();
      } else {
        this.showSettings(exchange);
      }
    });
  }

  apply(exchange: DemoExchange, answer: (settings: DemoSettings) => void): void {
    const settings = this.#settingsOf(exchange);
    if (settings === undefined) return;
    const fail = failures[settings.failure].answer;
    const act = () => (fail ? fail(exchange.response) : answer(settings));
    if (settings.delayMilliseconds === 0) {
      act();
      return;
    }
    const timer = setTimeout(act, settings.delayMilliseconds);
    exchange.response.once('close', () => clearTimeout(timer));
  }

  #settingsOf({ request, response, query }: DemoExchange): DemoSettings | undefined {
    const failureHeader = request.headers['x-demo-failure'];
    if (query === '' && failureHeader === undefined) return this.#settings;
    const parameters = new URLSearchParams(query);
    const failure = parameters.get('failure') ?? failureHeader?.toString();
    return changedSettings(response, this.#settings, failure, parameters.get('delay') ?? undefined);
  }
}

/** Undefined arguments leave a setting unchanged. @returns undefined if the request has been rejected */
function changedSettings(
  response: ServerResponse,
  settings: DemoSettings,
  failure = settings.failure as string,
  delay = String(settings.delayMilliseconds),
): DemoSettings | undefined {
  const isDelay = /^\d{1,5}$/.test(delay) && Number(delay) <= LONGEST_DELAY_MILLISECONDS;
  if (isFailureMode(failure) && isDelay) return { failure, delayMilliseconds: Number(delay) };
  const message = isFailureMode(failure)
    ? `delay: not a whole number from 0 to ${LONGEST_DELAY_MILLISECONDS}`
    : 'failure: no such failure mode';
  sendJson(response, 400, { message, failures: failureModes });
  return undefined;
}

const demoPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const style = `
:root { color-scheme: light dark; --line: #c9ced6; --soft: #f3f5f8; --accent: #0b57a4; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --line: #454b55; --soft: #1e2228; --accent: #8ec1ff; --on-accent: #06223f } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 3rem; font: 1rem/1.55 system-ui, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
code, output { font-family: ui-monospace, monospace; font-size: .95em; overflow-wrap: anywhere }
form { display: grid; gap: .9rem; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--soft) }
label { display: block; font-weight: 600; margin-bottom: .2rem }
select, input, button { font: inherit; width: 100%; min-height: 2.75rem; padding: .4rem .6rem; border-radius: .4rem }
select, input { border: 1px solid #7d8591; background: Canvas; color: CanvasText }
button { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.table { overflow-x: auto } table { border-collapse: collapse; width: 100% }
caption { text-align: left; padding-bottom: .3rem } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
td.rate { text-align: right; font-variant-numeric: tabular-nums }
@media (min-width: 36rem) { form { grid-template-columns: 2fr 1fr auto; align-items: end } }
`;

function demoPage({ failure, delayMilliseconds }: DemoSettings, serviceUrl: string): string {
  const choices = failureModes.map((mode) => {
    const selected = mode === failure ? ' selected' : '';
    return `<option value="${mode}"${selected}>${mode}: ${failures[mode].description}</option>`;
  });
  const rows = currencyCodes.map(
    (code) => `<tr><th scope="row">${code}</th><td class="rate">${euroRates[code]}</td></tr>`,
  );
  const delay = delayMilliseconds === 0 ? 'at once' : `after ${delayMilliseconds} ms`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Demo currency service</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Demo currency service</h1>
<p>A small SOAP service for Sallyport to talk to. Its rates are invented.</p>
</header>
<main>
<h2 id="settings">Settings</h2>
<p role="status">Now: <output>${failure}</output>, ${delay}.</p>
<form method="post" action="/demo" aria-labelledby="settings">
<div><label for="failure">Answer</label>
<select id="failure" name="failure">
${choices.join('\n')}
</select></div>
<div><label for="delay">Delay in ms</label>
<input id="delay" name="delay" type="number" min="0" max="${LONGEST_DELAY_MILLISECONDS}" step="1" required value="${delayMilliseconds}"></div>
<button>Apply</button>
</form>
<p>One request alone can fail too: <code>?failure=reset</code> behind its path, or the header <code>X-Demo-Failure</code>.</p>
<h2>Where it answers</h2>
<ul>
<li>SOAP 1.1 and 1.2: <code>POST ${serviceUrl}</code></li>
<li>Description: <a href="/CurrencyConvertor.asmx?WSDL"><code>${serviceUrl}?WSDL</code></a></li>
<li>HTTP GET: <a href="/CurrencyConvertor.asmx/ConversionRate?FromCurrency=EUR&amp;ToCurrency=USD"><code>${serviceUrl}/ConversionRate?FromCurrency=EUR&amp;ToCurrency=USD</code></a></li>
</ul>
<h2>Rates</h2>
<div class="table"><table>
<caption>What one euro buys (invented)</caption>
<thead><tr><th scope="col">Currency</th><th scope="col" style="text-align:right">Rate</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>
</main>
</body>
</html>
`;
}
