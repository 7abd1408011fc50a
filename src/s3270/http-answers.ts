import { readJsonActions } from './json-actions.js';
import { escapeHtml, htmlTable } from './print-text.js';
import { type Answer, jsonLines, type Script } from './script.js';
import type { ScriptedTerminal } from './scripted-terminal.js';
import { informationOf } from './terminal-information.js';

interface ScriptRequest {
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly body: string;
}

export interface ScriptResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location?: string;
  readonly isLast?: boolean;
}

type AnswerForm = 'text' | 'stext' | 'html' | 'json';

const TEXT = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const titles: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  501: 'Not implemented',
  503: 'Service Unavailable',
};

const folders: Readonly<Record<string, ReadonlyArray<readonly [href: string, name: string, what: string]>>> = {
  '/': [['/3270/', '3270/', 'Emulator state']],
  '/3270/': [
    ['/3270/rest/', 'rest/', 'REST interface'],
    ['/3270/interact.html', 'interact.html', 'Interactive form'],
    ['/3270/screen.html', 'screen.html', 'Screen image'],
  ],
  '/3270/rest/': [
    ['json/Query()', 'json/', 'REST JSON interface'],
    ['html/Query()', 'html/', 'REST HTML interface'],
    ['post', 'post', 'REST POST interface'],
    ['stext/Query()', 'stext/', 'REST plain text interface with status line'],
    ['text/Query()', 'text/', 'REST plain text interface'],
  ],
};

/** Pages and paths of s3270's HTTP server (reference 10.4). */
export class HttpAnswers {
  readonly #terminal: ScriptedTerminal;
  readonly #script: Script;

  constructor(terminal: ScriptedTerminal, script: Script) {
    this.#terminal = terminal;
    this.#script = script;
  }

  async answer({ method, target, contentType, body }: ScriptRequest): Promise<ScriptResponse> {
    const [path = '', ...queries] = target.split('?');
    const query = queries.join('?');
    if (method === 'POST') return path === '/3270/rest/post' ? this.#post(contentType, body) : failure(405, 'Use GET.');
    if (method !== 'GET' && method !== 'HEAD') return last(failure(501, `Unsupported verb '${escapeHtml(method)}'.`));
    const folder = folders[path];
    if (folder !== undefined) return page(`Directory of ${path}`, folder.map(linkRow).join('\n'));
    if (folders[`${path}/`] !== undefined) return movedTo(`${path}/`);
    const [, form, written] = /^\/3270\/rest\/(text|stext|html|json)(?:\/(.*))?$/.exec(path) ?? [];
    if (form !== undefined) return this.#rest(form as AnswerForm, written ?? '');
    if (path === '/3270/rest/post') return failure(405, 'Use POST.');
    if (path === '/3270/screen.html') return page('3270 Screen Image', this.#screen(false), '');
    if (path === '/3270/interact.html') return this.#interact(query);
    return failure(404, `The requested URL ${quoted(path)} was not found on this server.`);
  }

  async #rest(form: AnswerForm, written: string): Promise<ScriptResponse> {
    const line = decoded(written);
    if (line === undefined) return last(failure(400, 'Invalid URI (percent substitution error).'));
    if (line.trim() === '') return this.#without(form);
    return formed(form, await this.#script.answerLine(line));
  }

  async #post(contentType: string, body: string): Promise<ScriptResponse> {
    const [type = ''] = contentType.toLowerCase().split(';');
    switch (type.trim()) {
      case 'text/plain':
        return body.trim() === ''
          ? this.#without('stext')
          : formed('stext', await this.#script.answerLine(body.trim()));
      case 'application/json': {
        const read = readJsonActions(body);
        if (read.kind !== 'actions') return formed('json', this.#refusal(read.fault));
        return read.actions.length === 0
          ? this.#without('json')
          : formed('json', await this.#script.answerActions(read.actions));
      }
      default:
        return failure(415, 'Unsupported media type: text/plain and application/json are accepted.');
    }
  }

  #refusal(text: string): Answer {
    return { lines: [{ text, isError: true }], succeeded: false, status: `${this.#terminal.status} 0.000` };
  }

  #without(form: AnswerForm): ScriptResponse {
    return formed(form, this.#refusal('Missing 3270 action.'));
  }

  #screen(isScripted: boolean): string {
    return htmlTable(this.#terminal.look(), informationOf(this.#terminal, isScripted)).join('\n');
  }

  async #interact(query: string): Promise<ScriptResponse> {
    const action = new URLSearchParams(query).get('action') ?? '';
    const answer = action.trim() === '' ? undefined : await this.#script.answerLine(action);
    if (answer?.succeeded === false) return formed('html', answer);
    const form = [
      '<form method="GET" accept-charset="UTF-8" target="_self">',
      '<label>Action and parameters:<br>',
      '<input type="text" name="action" size="50" autofocus></label>',
      '<input type="submit" value="Submit">',
      '</form>',
      '<br>',
    ];
    return page(
      'Interactive Form',
      [...form, this.#screen(answer !== undefined), ...(answer === undefined ? [] : resultOf(answer))].join('\n'),
      '',
    );
  }
}

function formed(form: AnswerForm, answer: Answer): ScriptResponse {
  const { lines, status: statusLine, succeeded } = answer;
  const status = succeeded ? 200 : 400;
  const data = lines.map(({ text }) => `${text}\r\n`).join('');
  switch (form) {
    case 'text':
      return { status, type: TEXT, body: data };
    case 'stext':
      // as in s3270, errors have no status line
      return { status, type: TEXT, body: succeeded ? `${statusLine}\r\n${data}` : data };
    case 'json': {
      const body = JSON.stringify({ ...jsonLines(lines), status: statusLine }, undefined, 1);
      return { status, type: JSON_TYPE, body: `${body}\n` };
    }
    case 'html':
      return succeeded
        ? page('Success', resultOf(answer).join('\n'))
        : failure(status, lines.map(({ text }) => quoted(text)).join('\n'));
  }
}

function resultOf({ lines, status }: Answer): string[] {
  const data = lines.map(({ text }) => `${escapeHtml(text)}\n`).join('');
  return ['<h2>Status</h2>', `<pre>${escapeHtml(status)}</pre>`, '<h2>Result</h2>', `<pre>${data}</pre>`];
}

/** Undefined if a percent sign is not followed by two hexadecimal digits. Bytes that are not UTF-8 become U+FFFD. */
function decoded(written: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(written)) return undefined;
  const bytes = written.replace(/%(..)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function quoted(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;');
}

function last(response: ScriptResponse): ScriptResponse {
  return { ...response, isLast: true };
}

function linkRow([href, name, what]: readonly [string, string, string]): string {
  return `<p><a href="${href}">${name}</a> ${what}</p>`;
}

function movedTo(location: string): ScriptResponse {
  return { ...failure(301, `The document has moved <a href="${location}">here.</a>.`), location };
}

/** @param html escaped text */
export function failure(status: number, html: string): ScriptResponse {
  return page(`${status} ${titles[status] ?? ''}`, html, undefined, status);
}

/** @param heading default: the title; '' for none */
function page(title: string, html: string, heading = title, status = 200): ScriptResponse {
  const head = heading === '' ? '' : `<h1>${escapeHtml(heading)}</h1>\n`;
  const body = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${escapeHtml(title)}</title>\n</head>\n<body>\n${head}${html}\n</body>\n</html>\n`;
  return { status, type: HTML, body };
}
