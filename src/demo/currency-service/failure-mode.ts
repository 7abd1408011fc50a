import type { ServerResponse } from 'node:http';
import { sendBody, sendText } from './http-exchange.js';
import { soap12 } from './soap-answers.js';

const OVERSIZE_BYTES = 3 * 1024 * 1024;
const BOMB_LEVELS = 10_000;

interface Failure {
  readonly description: string;
  readonly answer: ((response: ServerResponse) => void) | undefined;
}

export const failures = {
  none: { description: 'Normal answer', answer: undefined },
  fault: { description: 'A SOAP fault, whatever the currencies', answer: undefined },
  reset: {
    description: 'The connection is reset instead of an answer',
    answer: (response) => {
      response.socket?.resetAndDestroy();
    },
  },
  silent: { description: 'No answer at all', answer: () => {} },
  oversize: {
    description: 'An envelope of 3 MiB',
    answer: (response) => sendSoap(response, envelopeAround('x'.repeat(OVERSIZE_BYTES))),
  },
  'not-xml': {
    description: 'An HTML page that is not XML',
    answer: (response) =>
      sendBody(response, 200, 'text/html', '<html><body><p>Down for maintenance<br>Try again later</body></html>'),
  },
  redirect: {
    description: 'A redirection (302)',
    answer: (response) => {
      response.writeHead(302, { Location: '/elsewhere', 'Content-Length': 0 }).end();
    },
  },
  'not-found': {
    description: 'Not found (404)',
    answer: (response) => sendText(response, 404, 'Not found.\n'),
  },
  'entity-bomb': {
    description: 'XML whose entities expand to gigabytes',
    answer: (response) => sendSoap(response, entityBomb()),
  },
  'depth-bomb': {
    description: 'XML of 10,000 levels',
    answer: (response) => sendSoap(response, envelopeAround('<a>'.repeat(BOMB_LEVELS) + '</a>'.repeat(BOMB_LEVELS))),
  },
} as const satisfies Record<string, Failure>;

export type FailureMode = keyof typeof failures;

export const failureModes = Object.keys(failures) as readonly FailureMode[];

export function isFailureMode(name: string): name is FailureMode {
  return Object.hasOwn(failures, name);
}

function sendSoap(response: ServerResponse, body: string): void {
  sendBody(response, 200, soap12.contentType, body);
}

function envelopeAround(content: string): string {
  return `<soap:Envelope xmlns:soap="${soap12.namespace}"><soap:Body>${content}</soap:Body></soap:Envelope>`;
}

function entityBomb(): string {
  const levels = 'abcdefghij';
  const entities = [...levels].map((name, index) => {
    const value = index === 0 ? 'lol' : `&${levels.charAt(index - 1)};`.repeat(10);
    return `<!ENTITY ${name} "${value}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE lolz [${entities.join('')}]>${envelopeAround('&j;')}`;
}
