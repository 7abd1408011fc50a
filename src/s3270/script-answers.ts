import { isObject } from '../json-checks.js';
import { ActionError } from './action-error.js';
import { readAction, type WrittenAction } from './action-syntax.js';
import { checkCount, findAction } from './action-table.js';
import type { ScriptedTerminal } from './scripted-terminal.js';

/** UTF-16 units of one line: scripts send no longer ones. */
const MOST_LINE_CHARACTERS = 1_000_000;

interface ActionsOutcome {
  /** Lines of data and of errors, in the order in which they came. */
  readonly lines: readonly { readonly text: string; readonly isError: boolean }[];
  readonly succeeded: boolean;
}

/**
 * Carries out one line of a script.
 * @returns the answer, each line with its end; undefined where the script is over, which is answered by nothing
 */
export async function answerScriptLine(terminal: ScriptedTerminal, line: string): Promise<string | undefined> {
  const began = performance.now();
  const text = line.trim();
  const json = /^[{["]/.test(text) ? readJson(text) : undefined;
  const outcome =
    json?.kind === 'actions'
      ? await carryOut(terminal, json.actions)
      : json?.kind === 'fault'
        ? failed(json.fault)
        : await carryOutLine(terminal, text);
  if (terminal.isOver) return undefined;
  if (json?.kind === 'actions') return `${jsonAnswer(terminal, outcome, performance.now() - began)}\n`;
  const data = outcome.lines.map((written) => `data: ${written.text}\n`).join('');
  return `${data}${statusLine(terminal, performance.now() - began)}\n${outcome.succeeded ? 'ok' : 'error'}\n`;
}

/** Actions one after the other as they are read: those before a fault are carried out. */
async function carryOutLine(terminal: ScriptedTerminal, line: string): Promise<ActionsOutcome> {
  if (line.length > MOST_LINE_CHARACTERS) return failed(`A line has at most ${MOST_LINE_CHARACTERS} characters`);
  const lines: ActionsOutcome['lines'][number][] = [];
  for (let rest = line; rest.trim() !== ''; ) {
    const read = readAction(rest);
    const outcome = read.kind === 'fault' ? failed(read.fault) : await carryOut(terminal, [read.value]);
    lines.push(...outcome.lines);
    if (!outcome.succeeded) return { lines, succeeded: false };
    if (terminal.isOver) break;
    rest = read.kind === 'fault' ? '' : read.value.rest;
  }
  return { lines, succeeded: true };
}

async function carryOut(terminal: ScriptedTerminal, written: readonly WrittenAction[]): Promise<ActionsOutcome> {
  const lines: ActionsOutcome['lines'][number][] = [];
  for (const { name, parameters } of written) {
    try {
      const found = findAction(name);
      checkCount(found, parameters.length);
      const data = await found.action.act(terminal, parameters);
      for (const text of data ?? []) lines.push({ text, isError: false });
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      lines.push(...failed(error.message).lines);
      return { lines, succeeded: false };
    }
    if (terminal.isOver) break;
  }
  return { lines, succeeded: true };
}

/** How long it took is the twelfth field. */
function statusLine(terminal: ScriptedTerminal, milliseconds: number): string {
  return `${terminal.status} ${(milliseconds / 1_000).toFixed(3)}`;
}

function failed(message: string): ActionsOutcome {
  return { lines: message.split('\n').map((text) => ({ text, isError: true })), succeeded: false };
}

function jsonAnswer(terminal: ScriptedTerminal, { lines, succeeded }: ActionsOutcome, milliseconds: number): string {
  return JSON.stringify({
    result: lines.map(({ text }) => text),
    'result-err': lines.map(({ isError }) => isError),
    success: succeeded,
    status: statusLine(terminal, milliseconds),
  });
}

type JsonRead =
  | { readonly kind: 'actions'; readonly actions: readonly WrittenAction[] }
  | { readonly kind: 'fault'; readonly fault: string };

/** An action as an object `{"action", "args"}` or as the text of a line, or an array of these. */
function readJson(text: string): JsonRead {
  if (text.length > MOST_LINE_CHARACTERS) {
    return { kind: 'fault', fault: `A line has at most ${MOST_LINE_CHARACTERS} characters` };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { kind: 'fault', fault: `JSON parse error: ${(error as Error).message}` };
  }
  const actions: WrittenAction[] = [];
  for (const member of Array.isArray(parsed) ? parsed : [parsed]) {
    const read = typeof member === 'string' ? readTextActions(member) : readObjectAction(member);
    if (read.kind === 'fault') return read;
    actions.push(...read.actions);
  }
  return { kind: 'actions', actions };
}

function readTextActions(text: string): JsonRead {
  const actions: WrittenAction[] = [];
  for (let rest = text; rest.trim() !== ''; ) {
    const read = readAction(rest);
    if (read.kind === 'fault') return read;
    actions.push(read.value);
    ({ rest } = read.value);
  }
  return { kind: 'actions', actions };
}

function readObjectAction(member: unknown): JsonRead {
  if (!isObject(member) || typeof member.action !== 'string') {
    return { kind: 'fault', fault: 'JSON parse error: an action is a string, or an object with the member action' };
  }
  const { action, args = [], ...others } = member;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return { kind: 'fault', fault: `JSON parse error: unknown member ${unknown}` };
  const isArgument = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  if (!Array.isArray(args) || !args.every(isArgument)) {
    return { kind: 'fault', fault: 'JSON parse error: args is an array of strings, numbers and booleans' };
  }
  return { kind: 'actions', actions: [{ name: action, parameters: args.map(String) }] };
}
