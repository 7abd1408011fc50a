import type { HostMessage, LockCode } from '../../src/terminal/protocol/server-message.js';
import { operatorErrorWords } from './model/operator-error-words.js';
import { type WordKey, words } from './words/words.js';

interface Information {
  readonly online: boolean;
  readonly ended: string | undefined;
  readonly lock: LockCode;
  /** The server has received the last key. */
  readonly isConfirmed: boolean;
  readonly insertMode: boolean;
  readonly typedAhead: number;
  readonly row: number;
  readonly column: number;
  readonly message: string;
  readonly activity: string;
  readonly waitSeconds: number;
  /** Milliseconds from the last attention key to the answer. */
  readonly lastResponse: number | undefined;
  /** Undefined before the server has sent it. */
  readonly host: HostMessage | undefined;
}

export function keyboardWords(information: Information): readonly [sign: string, words: string] {
  const { lock, online, ended } = information;
  if (ended !== undefined) return ['X', ended];
  if (!online) return ['X COMM', words('information.notConnected')];
  if (lock === 0) return ['', ''];
  if (lock === 1) return ['X SYSTEM', waitingWords(information)];
  if (lock === 2) return ['X WAIT', words('information.wait')];
  return operatorErrorWords(lock);
}

function waitingWords({ isConfirmed, waitSeconds }: Information): string {
  if (isConfirmed) return words('information.system');
  // words that change with every key would flicker
  return waitSeconds === 0 ? '' : words('information.unconfirmed');
}

const facts: Readonly<Record<string, WordKey>> = {
  response: 'information.response',
  host: 'information.host',
  unit: 'information.unit',
  model: 'information.model',
  tls: 'information.connection',
};

export class InformationLine {
  readonly #sign = part('sign');
  readonly #words = part('words');
  readonly #insert = part('insert');
  readonly #facts = new Map<string, HTMLElement>();
  readonly #seconds = new Intl.NumberFormat(document.documentElement.lang || undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });

  constructor(line: HTMLElement) {
    const group = part('facts');
    for (const [name, label] of Object.entries(facts)) group.append(this.#fact(name, label));
    line.replaceChildren(this.#sign, this.#words, this.#insert, group, this.#fact('place', 'information.place'));
  }

  show(information: Information): void {
    const [sign, state] = keyboardWords(information);
    const { lock, insertMode, typedAhead, row, column, message, activity, waitSeconds, lastResponse } = information;
    const isCounted = lock === 1 && sign === 'X SYSTEM' && waitSeconds > 0;
    put(this.#sign, isCounted ? `${sign} ${words('information.seconds', { seconds: waitSeconds })}` : sign);
    this.#sign.title = state;
    const further = message || (typedAhead > 0 ? words('information.typedAhead', { count: typedAhead }) : '');
    const said = [
      /^X (?:[o<-]|DBCS|PROG)/.test(sign) ? `${state}${words('information.reset')}` : state,
      activity,
      further,
    ];
    put(this.#words, said.filter(Boolean).join(' · '));
    // shown in full as a tooltip if cut
    this.#words.title = this.#words.textContent ?? '';
    put(this.#insert, insertMode ? words('information.insert') : '');
    this.#say('place', `${String(row).padStart(2, '0')}/${String(column).padStart(3, '0')}`);
    const seconds = lastResponse === undefined ? '' : this.#seconds.format(lastResponse / 1_000);
    this.#say('response', seconds && words('information.seconds', { seconds }));
    this.#showHost(information);
  }

  #showHost({ host, online, ended }: Information): void {
    const isThere = host !== undefined && ended === undefined;
    this.#say('host', isThere ? host.h : '');
    this.#say('unit', isThere ? (host.d ?? '') : '');
    this.#say('model', isThere ? host.m.replace(/^IBM-/, '') : '');
    if (!isThere || !online) {
      this.#say('tls', '');
      return;
    }
    const isServerSecured = location.protocol === 'https:';
    const kind = host.v === undefined ? (isServerSecured ? 'server' : 'none') : isServerSecured ? 'both' : 'host';
    const toServer = words(isServerSecured ? 'tls.toServer' : 'tls.notToServer');
    const toHost = host.v === undefined ? words('tls.notToHost') : words('tls.toHost', { cipher: host.v });
    this.#say('tls', words(`tls.${kind}`), `${toServer} ${toHost}`);
  }

  #say(name: string, text: string, explanation = ''): void {
    const value = this.#facts.get(name);
    const fact = value?.parentElement;
    if (value === undefined || !fact) return;
    put(value, text);
    fact.hidden = text === '';
    if (explanation !== '') fact.title = explanation;
  }

  /** Puts the label before the value, for screen readers. */
  #fact(name: string, label: WordKey): HTMLElement {
    const fact = part(name);
    fact.title = words(label);
    const spoken = part('off-sight');
    spoken.textContent = `${words(label)} `;
    const value = part('value');
    fact.append(spoken, value);
    this.#facts.set(name, value);
    return fact;
  }
}

function part(name: string): HTMLElement {
  const element = document.createElement('span');
  element.className = name;
  return element;
}

function put(element: HTMLElement, text: string): void {
  if (element.textContent === text) return;
  const { firstChild } = element;
  // changing the same text node is cheapest for the browser
  if (firstChild instanceof Text && text !== '') firstChild.data = text;
  else element.textContent = text;
}
