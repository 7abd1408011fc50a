import type { ServerResponse } from 'node:http';
import type { Log } from '../../lib/log/log.js';
import { foreignRequest } from '../../lib/network/foreign-request.js';
import { demoPage, demoPagePolicy } from './demo-page.js';
import { changeSettings, type DemoSettings, SettingsError } from './demo-settings.js';
import { failureModes, failures } from './failure-mode.js';
import { type DemoExchange, sendBody, sendJson, sendText } from './http-answer.js';
import { readRequestForm } from './request-body.js';

/** The settings of the service: shown, changed, and applied to the conversions. */
export class DemoControl {
  #settings: DemoSettings = { failure: 'none', delayMilliseconds: 0 };

  /** @param host of the address that the service listens at */
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

  /** `failure` and `delay` in the query or in a form. A browser is led back to the page. */
  change(exchange: DemoExchange): void {
    const { request, response, query } = exchange;
    if (foreignRequest(request, this.host) !== undefined) {
      sendText(response, 403, 'Another site must not change the settings.\n');
      return;
    }
    readRequestForm(exchange, (form) => {
      const inQuery = new URLSearchParams(query);
      const value = (name: string) => inQuery.get(name) ?? form.get(name) ?? undefined;
      const changed = settingsOrRefusal(response, this.#settings, value('failure'), value('delay'));
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

  /** Calls `answer` after the delay that is set, unless the failure that is set takes its place. */
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

  /** The settings with what this request alone asks for; undefined where that had to be refused. */
  #settingsOf({ request, response, query }: DemoExchange): DemoSettings | undefined {
    const failureHeader = request.headers['x-demo-failure'];
    if (query === '' && failureHeader === undefined) return this.#settings;
    const parameters = new URLSearchParams(query);
    const failure = parameters.get('failure') ?? failureHeader?.toString();
    return settingsOrRefusal(response, this.#settings, failure, parameters.get('delay') ?? undefined);
  }
}

function settingsOrRefusal(
  response: ServerResponse,
  settings: DemoSettings,
  failure: string | undefined,
  delay: string | undefined,
): DemoSettings | undefined {
  try {
    return changeSettings(settings, failure, delay);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    sendJson(response, 400, { message: error.message, failures: failureModes });
    return undefined;
  }
}
