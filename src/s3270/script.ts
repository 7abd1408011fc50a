import { createHash, timingSafeEqual } from 'node:crypto';
import type { ActionsOutcome, AnswerLine, ScriptCaller } from './action.js';
import { ActionError } from './action-error.js';
import { nothingMore, readAction, type WrittenAction } from './action-syntax.js';
import { actionNames, checkCount, findAction } from './action-table.js';
import { type JsonAction, JsonActionsReader } from './json-actions.js';
import type { ScriptTools } from './script-tools.js';
import type { ScriptedTerminal } from './scripted-terminal.js';
import { MachineAccessError } from './terminal-only.js';

/** Limit of a line in UTF-16 units. */
export const MOST_LINE_CHARACTERS = 1_000_000;
const DEEPEST_CALLS = 16;

export interface Answer extends ActionsOutcome {
  readonly status: string;
}

interface ScriptRights {
  readonly cookie?: string | undefined;
  readonly tools?: ScriptTools<ScriptedTerminal>;
}

/** Number of lines executed so far. As in s3270, each is a task with its own number. */
let tasks = 0;

/** A peer that sends actions: standard input, a socket, HTTP requests, or a started program. */
export class Script implements ScriptCaller {
  readonly #terminal: ScriptedTerminal;
  readonly #name: string;
  #number = 0;
  readonly tools: ScriptTools<ScriptedTerminal>;
  readonly actionNames = actionNames;
  #begun: JsonActionsReader | undefined;
  #depth = 0;
  #running = '';
  #isClosed = false;
  #isRefused = false;
  #cookie: string | undefined;
  queue: { readonly writableLength: number } | undefined;

  constructor(terminal: ScriptedTerminal, name: string, { cookie, tools = terminal.tools }: ScriptRights = {}) {
    this.#cookie = cookie;
    this.tools = tools;
    this.#terminal = terminal;
    this.#name = name;
    terminal.scripts.add(this);
  }

  /** True after a wrong cookie: no further lines are executed. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  get isClosed(): boolean {
    return this.#isClosed || this.#terminal.isOver;
  }

  close(): void {
    this.#isClosed = true;
    this.#terminal.scripts.delete(this);
  }

  get queued(): string | undefined {
    const bytes = this.queue?.writableLength ?? 0;
    return bytes === 0 ? undefined : `CB(${this.#name}) #${this.#number} bytes ${bytes}`;
  }

  get tasks(): readonly string[] {
    const state = this.#running === '' ? 'IDLE' : 'RUNNING';
    return [
      `CB(${this.#name}) #${this.#number}`,
      `  CB(${this.#name})[#${this.#number}.1] ${state}`,
      ...(this.#running === '' ? [] : [`   Macro[#${this.#number}.2] RUNNING => ${this.#running}`]),
    ];
  }

  /** @returns the answer with line ends; undefined if the script has ended or its JSON is incomplete */
  async answer(line: string): Promise<string | undefined> {
    const begun = this.#begun;
    this.#begun = undefined;
    const text = begun === undefined ? line.trim() : line;
    const before = begun === undefined ? 0 : begun.length + 1;
    if (before + text.length > MOST_LINE_CHARACTERS) return this.#written(await this.#timed(() => tooLong()));
    if (begun === undefined && !/^[{["]/.test(text)) {
      return this.#written(await this.#timed(() => this.#carryOutLine(text)));
    }
    const json = begun ?? new JsonActionsReader();
    const read = json.addLine(text);
    if (read.kind === 'incomplete') {
      this.#begun = json;
      return undefined;
    }
    if (read.kind === 'malformed') return this.#written(await this.#timed(() => failed(read.fault)));
    const answer = await this.#timed(() =>
      read.kind === 'fault' ? failed(read.fault) : this.#carryOutAll(read.actions),
    );
    return this.#terminal.isOver ? undefined : `${JSON.stringify(jsonAnswer(answer))}\n`;
  }

  async answerEnd(): Promise<string | undefined> {
    const read = this.#isRefused ? undefined : this.#begun?.read;
    return read?.kind === 'incomplete' ? this.#written(await this.#timed(() => failed(read.fault))) : undefined;
  }

  answerLine(line: string): Promise<Answer> {
    return this.#timed(() => (line.length > MOST_LINE_CHARACTERS ? tooLong() : this.#carryOutLine(line)));
  }

  answerActions(actions: readonly JsonAction[]): Promise<Answer> {
    return this.#timed(() => this.#carryOutAll(actions));
  }

  async carryOut(line: string): Promise<ActionsOutcome> {
    if (this.#depth >= DEEPEST_CALLS) throw new ActionError(`Actions call one another more than ${DEEPEST_CALLS} deep`);
    this.#depth += 1;
    try {
      return await this.#carryOutLine(line);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Adds the duration, which is field 12 of the status line. */
  async #timed(act: () => ActionsOutcome | Promise<ActionsOutcome>): Promise<Answer> {
    this.#number = ++tasks;
    const began = performance.now();
    this.#terminal.actedAt = began;
    const outcome = await act();
    return { ...outcome, status: `${this.#terminal.status} ${((performance.now() - began) / 1_000).toFixed(3)}` };
  }

  #written({ lines, status, succeeded }: Answer): string | undefined {
    if (this.#terminal.isOver) return undefined;
    const data = lines.map(({ text }) => `data: ${text}\n`).join('');
    return `${data}${status}\n${succeeded ? 'ok' : 'error'}\n`;
  }

  /** Executes each action before reading the next one: a syntax error does not affect earlier actions. */
  async #carryOutLine(line: string): Promise<ActionsOutcome> {
    const lines: AnswerLine[] = [];
    for (let rest = line; !nothingMore.test(rest); ) {
      const read = readAction(rest);
      const outcome = read.kind === 'fault' ? failed(read.fault) : await this.#carryOutOne(read.value);
      lines.push(...outcome.lines);
      if (!outcome.succeeded) return { lines, succeeded: false };
      if (this.isClosed) break;
      rest = read.kind === 'fault' ? '' : read.value.rest;
    }
    return { lines, succeeded: true };
  }

  async #carryOutAll(actions: readonly JsonAction[]): Promise<ActionsOutcome> {
    const lines: AnswerLine[] = [];
    for (const action of actions) {
      const outcome = await (typeof action === 'string' ? this.#carryOutLine(action) : this.#carryOutOne(action));
      lines.push(...outcome.lines);
      if (!outcome.succeeded) return { lines, succeeded: false };
      if (this.isClosed) break;
    }
    return { lines, succeeded: true };
  }

  /** A peer has only one attempt. */
  #takeCookie(name: string, [given = '']: readonly string[]): boolean {
    const isRight = name.toLowerCase() === 'cookie' && isSameSecret(given, this.#cookie ?? '');
    if (isRight) this.#cookie = undefined;
    else this.#isRefused = true;
    return isRight;
  }

  async #carryOutOne({ name, parameters }: WrittenAction): Promise<ActionsOutcome> {
    const before = this.#running;
    if (this.#cookie !== undefined && !this.#takeCookie(name, parameters)) return failed('Invalid cookie');
    let found: ReturnType<typeof findAction> | undefined;
    try {
      found = findAction(name);
      checkCount(found, parameters.length);
      this.#running = `${found.name}(${parameters.map((parameter) => JSON.stringify(parameter)).join(',')})`;
      const data = await found.action.act(this.#terminal, parameters, this);
      if (data !== undefined && 'succeeded' in data) return data;
      const texts = (data ?? []).flatMap((text) => text.split('\n'));
      return { lines: texts.map((text) => ({ text, isError: false })), succeeded: true };
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      const of = error instanceof MachineAccessError && found !== undefined ? `${found.name}(): ` : '';
      return failed(`${of}${error.message}`);
    } finally {
      this.#running = before;
    }
  }
}

function failed(message: string): ActionsOutcome {
  return { lines: message.split('\n').map((text) => ({ text, isError: true })), succeeded: false };
}

function tooLong(): ActionsOutcome {
  return failed(`A line has at most ${MOST_LINE_CHARACTERS} characters`);
}

function jsonAnswer({ lines, succeeded, status }: Answer) {
  return { ...jsonLines(lines), success: succeeded, status };
}

export function jsonLines(lines: readonly AnswerLine[]) {
  return { result: lines.map(({ text }) => text), 'result-err': lines.map(({ isError }) => isError) };
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
