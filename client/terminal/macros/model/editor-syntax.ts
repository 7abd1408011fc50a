import { stepsFault } from '../../../../src/macros/macro-fault.js';
import { LONGEST_STEP_NAME, LONGEST_STEP_TEXT, MOST_STEPS } from '../../../../src/macros/macro-set.js';
import { instructionOf, type MacroStep, type ScreenText } from '../../../../src/macros/macro-step.js';
import { linesOfSteps } from '../../../../src/macros/step-text.js';
import { readTextPieces } from '../../../../src/tn3270/keyboard/text-pieces.js';
import { reasonWords, type WordKey, words } from '../../words/words.js';
import { CommandError, CommandReading } from './command-reading.js';
import { keyOfStep, nearestStepName } from './step-keys.js';

interface LineFault {
  /** Counted from 1. */
  readonly line: number;
  readonly problem: string;
}

interface EditedSteps {
  readonly steps: readonly MacroStep[];
  readonly problems: readonly LineFault[];
}

const MOST_PROBLEMS = 20;
const counts: Readonly<Record<string, WordKey>> = {
  move: 'syntax.move',
  copy: 'syntax.copy',
  paste: 'syntax.paste',
};

/** Macro in editor syntax, one command for each line. Adjacent character codes are merged into one text. */
export function textOfSteps(steps: readonly MacroStep[]): string {
  return linesOfSteps(joined(steps)).join('\n');
}

function joined(steps: readonly MacroStep[]): MacroStep[] {
  const found: MacroStep[] = [];
  let typed = '';
  const finish = () => {
    if (typed !== '') found.push({ txt: typed });
    typed = '';
  };
  for (const step of steps) {
    if (typeof step === 'number') {
      typed += String.fromCodePoint(step);
      continue;
    }
    finish();
    if (typeof step === 'string' || step.txt !== '') found.push(step);
    else if ('if' in step) {
      found.push({ ...step, steps: joined(step.steps), ...(step.else && { else: joined(step.else) }) });
    } else found.push('repeat' in step ? { ...step, steps: joined(step.steps) } : step);
  }
  finish();
  return found;
}

interface OpenBlock {
  readonly line: number;
  readonly step: (steps: readonly MacroStep[], other: readonly MacroStep[] | undefined) => MacroStep;
  readonly steps: MacroStep[];
  readonly mayHaveElse: boolean;
  other: MacroStep[] | undefined;
}

export function stepsOfText(text: string): EditedSteps {
  return new TextReading().read(text);
}

class TextReading {
  readonly #steps: MacroStep[] = [];
  readonly #problems: LineFault[] = [];
  readonly #open: OpenBlock[] = [];
  readonly #variables = new Set<string>();
  #count = 0;

  read(text: string): EditedSteps {
    for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
      const command = line.trim();
      if (command === '') continue;
      const problem = this.#take(command, at + 1);
      if (problem !== undefined) this.#problems.push({ line: at + 1, problem });
      if (this.#count > MOST_STEPS) {
        this.#problems.push({ line: at + 1, problem: words('syntax.mostSteps', { most: MOST_STEPS }) });
        break;
      }
      if (this.#problems.length === MOST_PROBLEMS) break;
    }
    for (const { line } of this.#open) this.#problems.push({ line, problem: words('syntax.noEnd') });
    return { steps: this.#steps, problems: this.#problems };
  }

  /** @returns the error in a line */
  #take(command: string, line: number): string | undefined {
    const block = this.#open.at(-1);
    if (command === 'else') {
      if (block?.mayHaveElse !== true || block.other !== undefined) return words('syntax.else');
      block.other = [];
      return undefined;
    }
    if (command === 'end') {
      this.#open.pop();
      if (block === undefined) return words('syntax.end');
      const step = block.step(block.steps, block.other);
      const isDeep = this.#open.length === 0 && stepsFault([step], true) !== undefined;
      return isDeep ? words('syntax.deep') : this.#add(step);
    }
    const opened = blockOf(command, line);
    if (opened !== undefined && 'problem' in opened) return opened.problem;
    if (opened !== undefined) {
      this.#open.push(opened);
      return undefined;
    }
    const step = stepOf(command);
    if (typeof step === 'object' && 'problem' in step) return step.problem;
    return this.#variableProblem(step) ?? this.#add(step);
  }

  #variableProblem(step: MacroStep): string | undefined {
    if (typeof step !== 'object') return undefined;
    if ('ask' in step || 'read' in step) this.#variables.add(step.variable);
    if (!('type' in step)) return undefined;
    const unset = variablesOf(step.type).find((name) => !this.#variables.has(name));
    return unset === undefined ? undefined : words('syntax.unset', { name: unset });
  }

  #add(step: MacroStep): undefined {
    const block = this.#open.at(-1);
    (block?.other ?? block?.steps ?? this.#steps).push(step);
    this.#count++;
  }
}

function blockOf(command: string, line: number): OpenBlock | { readonly problem: string } | undefined {
  const [, name = '', rest = ''] = /^(if|repeat)\b(.*)$/.exec(command) ?? [];
  if (name === '') return undefined;
  const opened = { line, steps: [], other: undefined };
  return readCommand(rest, (reading) => {
    if (name === 'if') {
      const screens = reading.screens();
      const step: OpenBlock['step'] = (steps, other) => ({
        txt: '',
        if: screens,
        steps,
        ...(other && { else: other }),
      });
      return checked(step([], undefined)) ?? { ...opened, step, mayHaveElse: true };
    }
    const repeat = reading.number();
    const until = reading.takes('until') ? reading.screens() : undefined;
    const step: OpenBlock['step'] = (steps) => ({ txt: '', repeat, ...(until && { until }), steps });
    return checked(step([], undefined)) ?? { ...opened, step, mayHaveElse: false };
  });
}

function variablesOf(text: string): string[] {
  const pieces = readTextPieces(text);
  return pieces.kind === 'fault'
    ? []
    : pieces.value.flatMap((piece) => (piece.kind === 'parameter' ? [piece.name] : []));
}

function checked(step: MacroStep): { readonly problem: string } | undefined {
  const fault = stepsFault([step], true);
  if (fault === undefined) return undefined;
  const path = fault.path.replace(/^\[0\]\.?/, '');
  const problem = reasonWords(fault.problem);
  return { problem: path === '' ? problem : words('macro.fault', { path, problem }) };
}

function readCommand<Read>(rest: string, read: (reading: CommandReading) => Read): Read | { readonly problem: string } {
  try {
    const reading = new CommandReading(rest);
    const found = read(reading);
    reading.end();
    return found;
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    return { problem: thrown.message };
  }
}

function stepOf(command: string): MacroStep | { readonly problem: string } {
  if (command.startsWith('"')) {
    const txt = quoted(command);
    return typeof txt === 'string' ? { txt } : txt;
  }
  const [, word = '', further = ''] = /^(expect|wait|ask|read|type)\b(.*)$/.exec(command) ?? [];
  if (word !== '') return lookingStep(word, further);
  const [, name = '', argument = ''] = /^(\w+)\s*\((.*)\)$/.exec(command) ?? [];
  switch (name) {
    case 'key':
      return keyStep(argument.trim());
    case 'prompt': {
      const prompt = quoted(argument.trim());
      return typeof prompt === 'string' ? { txt: '', prompt } : prompt;
    }
    case 'screen':
      return screenStep(argument);
    case 'move':
    case 'copy':
    case 'paste':
      return instructionOf(command) === undefined
        ? { problem: words(counts[name] ?? 'syntax.expected') }
        : command.replaceAll(/\s/g, '');
    default:
      return { problem: words('syntax.expected') };
  }
}

function lookingStep(word: string, rest: string): MacroStep | { readonly problem: string } {
  return readCommand(rest, (reading) => {
    const step = stepOfReading(word, reading);
    return checked(step) ?? step;
  });
}

function stepOfReading(word: string, reading: CommandReading): MacroStep {
  if (word === 'expect') {
    const screens = reading.screens();
    const within = reading.within();
    return { txt: '', expect: screens, ...(within !== undefined && { within }) };
  }
  if (word === 'wait') {
    const condition = reading.textCondition();
    const within = reading.within();
    if (within === undefined) throw new CommandError(words('syntax.wait'));
    return { txt: '', wait: condition, within };
  }
  reading.sign('(');
  const step = stepInBrackets(word, reading);
  reading.sign(')');
  return step;
}

function stepInBrackets(word: string, reading: CommandReading): MacroStep {
  if (word === 'type') return { txt: '', type: reading.text() };
  const variable = () => {
    reading.sign(',');
    return reading.word('syntax.variable');
  };
  if (word === 'ask') return { txt: '', ask: reading.text(), variable: variable() };
  return { txt: '', read: reading.area(), variable: variable() };
}

function keyStep(name: string): string | { readonly problem: string } {
  if (keyOfStep(name) !== undefined) return name;
  const nearest = nearestStepName(name);
  const shown = name.slice(0, LONGEST_STEP_NAME);
  return {
    problem:
      nearest === undefined
        ? words('syntax.noKey', { name: shown })
        : words('syntax.didYouMean', { name: shown, nearest }),
  };
}

function screenStep(argument: string): MacroStep | { readonly problem: string } {
  const problem = words('syntax.screen');
  let values: unknown[];
  try {
    values = JSON.parse(`[${argument}]`) as unknown[];
  } catch {
    return { problem };
  }
  if (values.length === 0 || values.length % 3 !== 0) return { problem };
  const screen = Array.from({ length: values.length / 3 }, (_, at) => {
    const [row, column, text] = values.slice(3 * at);
    return { text, row, column } as ScreenText;
  });
  const step = { txt: '', screen };
  return stepsFault([step], false) === undefined ? step : { problem };
}

function quoted(text: string): string | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // reported below
  }
  if (typeof value !== 'string') {
    return { problem: words('syntax.quoted') };
  }
  if (value.length > LONGEST_STEP_TEXT) return { problem: words('syntax.longText', { most: LONGEST_STEP_TEXT }) };
  return /[\0\p{Surrogate}]/u.test(value) ? { problem: words('syntax.untypable') } : value;
}
