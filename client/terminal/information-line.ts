import type { HostMessage, LockCode } from '../../src/terminal/protocol/server-message.js';
import { operatorErrorWords } from './model/operator-error-words.js';
import { type WordKey, words } from './words/words.js';

/** What the operator information line says. */
interface Information {
  readonly online: boolean;
  readonly ended: string | undefined;
  readonly lock: LockCode;
  /** The server has said that it has the last key. */
  readonly isConfirmed: boolean;
  readonly insertMode: boolean;
  readonly typedAhead: number;
  readonly row: number;
  readonly column: number;
  readonly message: string;
  /** What goes on beside the typing: a macro is recorded, or played. */
  readonly activity: string;
  /** How long the host has had the keyboard. */
  readonly waitSeconds: number;
  /** Milliseconds from the last key for the host to its answer. */
  readonly lastResponse: number | undefined;
  /** What the terminal is connected to; undefined before the server has said so. */
  readonly host: HostMessage | undefined;
}

/** Sign and words for the state of the keyboard. */
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
  // words that come and go with each key would flicker
  return waitSeconds === 0 ? '' : words('information.unconfirmed');
}

/** Facts that have a place of their own in the line, with what they are. */
const facts: Readonly<Record<string, WordKey>> = {
  response: 'information.response',
  host: 'information.host',
  unit: 'information.unit',
  model: 'information.model',
  tls: 'information.connection',
};

/** The line below the screen: state of the keyboard, insert mode, what it is connected to, place of the cursor. */
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
    // where there is no room for all of it
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

  /** @param explanation on hover, behind what the fact is */
  #say(name: string, text: string, explanation = ''): void {
    const value = this.#facts.get(name);
    const fact = value?.parentElement;
    if (value === undefined || !fact) return;
    put(value, text);
    fact.hidden = text === '';
    if (explanation !== '') fact.title = explanation;
  }

  /** What it is stands before its value, for who cannot see the place that it has. */
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
  // the same text node with other text is the least for a browser to do
  if (firstChild instanceof Text && text !== '') firstChild.data = text;
  else element.textContent = text;
}
