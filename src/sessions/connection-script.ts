import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import { isSecretName, MASK } from '../lib/secrets/secret-text.js';
import { attentionKeysByIdentifier } from '../tn3270/keyboard/attention-keys.js';

/** Step of a script. Data is collected until an order uses it. */
export type ScriptStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'tab' }
  /** Key for the data that follows. Row and column count from 1; undefined to leave the cursor. */
  | {
      readonly kind: 'key';
      readonly key: string;
      readonly row: number | undefined;
      readonly column: number | undefined;
    }
  | { readonly kind: 'order'; readonly order: ScriptOrder }
  /** `&(` and `&)`: the part between them is played for every request that the host session serves. */
  | { readonly kind: 'repeated'; readonly begins: boolean };

type ScriptOrder = 'send' | 'show' | 'discard' | 'wait' | 'end' | 'log' | 'scenario';

/** Orders of reference 4.6 by the letter after `&/`. */
const orders: Readonly<Record<string, ScriptOrder>> = {
  A: 'send',
  T: 'show',
  I: 'discard',
  W: 'wait',
  F: 'wait',
  K: 'end',
  M: 'log',
  S: 'scenario',
};
const variables = 'TLXDACRUP1';
/** Key if the script sets none (reference 4.6). */
const defaultKey = { key: 'Enter', row: 1, column: 1 } as const;
const MOST_STEPS = 1_000;

const tokens =
  /&&|&>|&\/.|&\(|&\)|&\*[0-9A-Fa-f]{6}|&#[0-9A-Fa-f]{2}|&'(?:[0-9A-Fa-f]{2})+'|&=[^=]{1,64}=|&8[2-9A-F]|&.|&$|[^&]+/gs;

/** `tioaAtLogon`, `tioaAtLogoff`. @param decodeHex converts the codes of `&'hex'` from the host's code page */
export function readConnectionScript(
  script: string,
  decodeHex: (codes: Uint8Array) => string,
): ReadOutcome<ScriptStep[]> {
  const steps: ScriptStep[] = [];
  let source = script;
  if (source.startsWith('&W') && !source.startsWith('&W=')) {
    // at the start of a script, `&W` waits for the first message
    steps.push({ kind: 'order', order: 'discard' });
    source = source.slice(2);
  }
  for (const [token] of source.matchAll(tokens)) {
    const step = stepOf(token, decodeHex);
    if (step.kind === 'fault') return step;
    steps.push(step.value);
    if (steps.length > MOST_STEPS) return readFault(`it has more than ${MOST_STEPS} steps`);
  }
  const fault = faultOfRepetition(steps);
  return fault === undefined ? readAs(steps) : readFault(fault);
}

function faultOfRepetition(steps: readonly ScriptStep[]): string | undefined {
  const marks = steps.filter((step) => step.kind === 'repeated');
  if (marks.length === 0) return undefined;
  const [first, second] = marks;
  const isPair = marks.length === 2 && first?.begins === true && second?.begins === false;
  return isPair && steps.at(-1) === second
    ? undefined
    : 'the repeated part must be between one &( and one &), at the end of the script';
}

/** Splits a script into the steps for each host session and those for each request that it serves. */
export function repeatedPart(steps: readonly ScriptStep[]): {
  readonly once: readonly ScriptStep[];
  readonly repeated: readonly ScriptStep[] | undefined;
} {
  const begin = steps.findIndex(({ kind }) => kind === 'repeated');
  return begin < 0
    ? { once: steps, repeated: undefined }
    : { once: steps.slice(0, begin), repeated: steps.slice(begin + 1, -1) };
}

function stepOf(token: string, decodeHex: (codes: Uint8Array) => string): ReadOutcome<ScriptStep> {
  if (!token.startsWith('&')) return readAs({ kind: 'text', text: token });
  const second = token[1] ?? '';
  switch (second) {
    case '&':
      return readAs({ kind: 'text', text: '&' });
    case '>':
      return readAs({ kind: 'tab' });
    case '/': {
      const order = orders[token[2] ?? ''];
      return order === undefined
        ? readFault(
            `unknown order "${token}": expected one of ${Object.keys(orders)
              .map((letter) => `&/${letter}`)
              .join(', ')}`,
          )
        : readAs({ kind: 'order', order });
    }
    case '(':
    case ')':
      return readAs({ kind: 'repeated', begins: second === '(' });
    case '*':
    case '#':
      return keyStep(token);
    case "'":
      return token.length > 2
        ? readAs({ kind: 'text', text: decodeHex(Buffer.from(token.slice(2, -1), 'hex')) })
        : readFault(`"&'" needs hexadecimal digits and another '`);
    case '=':
      return token.length > 2
        ? readAs({ kind: 'variable', name: token.slice(1, -1) })
        : readFault('"&=" needs a name and another =');
    case '8':
      return token.length > 2
        ? readAs({ kind: 'variable', name: token.slice(1) })
        : readFault(`unknown order "${token}": the variables are &82 to &8F`);
    default:
      return second !== '' && variables.includes(second)
        ? readAs({ kind: 'variable', name: second })
        : readFault(`unknown order "${token}": && is an ampersand`);
  }
}

/** `&*xxrrcc`: attention identifier, row and column; `&#xx`: identifier only. All in hexadecimal. */
function keyStep(token: string): ReadOutcome<ScriptStep> {
  const [aid = 0, row, column] = [...Buffer.from(token.slice(2), 'hex')];
  const key = attentionKeysByIdentifier.get(aid);
  if (token.length < 4 || key === undefined) return readFault(`"${token}" names no attention key: &#7D is Enter`);
  return readAs({ kind: 'key', key, row, column });
}

export interface ScriptPort {
  /** Value of `&T`, `&L` …; names of `&=name=` have a leading `=`. */
  variable(name: string): string;
  type(text: string): void;
  tab(): void;
  press(key: string, row: number | undefined, column: number | undefined): void;
  shows(text: string): Promise<void>;
  hostReady(): Promise<void>;
  show(text: string): void;
  log(text: string): void;
  runScenario(): Promise<void>;
}

export async function playConnectionScript(steps: readonly ScriptStep[], port: ScriptPort): Promise<void> {
  let data: ({ text: string; isSecret?: boolean } | 'tab')[] = [];
  let key: Extract<ScriptStep, { kind: 'key' }> | undefined;
  const text = () => data.map((piece) => (piece === 'tab' ? '\t' : piece.text)).join('');
  const loggedText = () => data.map((piece) => (piece === 'tab' ? '\t' : piece.isSecret ? MASK : piece.text)).join('');
  for (const step of steps) {
    if (step.kind === 'text') data.push({ text: step.text });
    else if (step.kind === 'variable') data.push({ text: port.variable(step.name), isSecret: isSecretName(step.name) });
    else if (step.kind === 'tab') data.push('tab');
    else if (step.kind === 'key') key = step;
    else if (step.kind === 'order') {
      if (step.order === 'end') return;
      if (step.order === 'send') {
        for (const piece of data) {
          if (piece === 'tab') port.tab();
          else port.type(piece.text);
        }
        const { key: name, row, column } = key ?? defaultKey;
        port.press(name, row, column);
        key = undefined;
      } else if (step.order === 'wait') await port.shows(text());
      else if (step.order === 'discard') await port.hostReady();
      else if (step.order === 'show') port.show(text());
      else if (step.order === 'log') port.log(loggedText());
      else await port.runScenario();
      data = [];
    }
  }
}
