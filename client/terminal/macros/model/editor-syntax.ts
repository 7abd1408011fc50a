import { instructionOf } from '../../../../src/macro/instruction.js';
import { LONGEST_STEP_NAME, LONGEST_STEP_TEXT, type MacroStep, MOST_STEPS } from '../../../../src/macro/macro-set.js';
import { type ReadOutcome, readAs, readFault } from '../../../../src/read-outcome.js';
import { keyOfStep, nearestStepName } from './step-keys.js';

interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly fault: string;
}

interface EditedSteps {
  readonly steps: readonly MacroStep[];
  readonly faults: readonly LineFault[];
}

const MOST_FAULTS = 20;
const EXPECTED = 'expected "text", key(…), move(…), copy(…), paste(…) or prompt("…")';
const counts: Readonly<Record<string, string>> = {
  move: 'move takes a position: move(435)',
  copy: 'copy takes row, column, row, column: copy(1,1,2,80)',
  paste: 'paste takes a position, or a position, rows and columns: paste(435) or paste(435,2,10)',
};

/** A macro as it is edited: a command on each line. Character codes side by side become one text. */
export function textOfSteps(steps: readonly MacroStep[]): string {
  const lines: string[] = [];
  let typed = '';
  const finish = () => {
    if (typed !== '') lines.push(JSON.stringify(typed));
    typed = '';
  };
  for (const step of steps) {
    if (typeof step === 'number') {
      typed += String.fromCodePoint(step);
      continue;
    }
    finish();
    if (typeof step === 'string') lines.push(instructionOf(step) === undefined ? `key(${step})` : step);
    else if (step.prompt === undefined) lines.push(JSON.stringify(step.txt));
    else lines.push(`prompt(${JSON.stringify(step.prompt)})`);
  }
  finish();
  return lines.join('\n');
}

/** Empty lines are left out. */
export function stepsOfText(text: string): EditedSteps {
  const steps: MacroStep[] = [];
  const faults: LineFault[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const command = line.trim();
    if (command === '') continue;
    const step = stepOf(command);
    if (step.kind === 'fault') faults.push({ line: at + 1, fault: step.fault });
    else steps.push(step.value);
    if (steps.length > MOST_STEPS) {
      faults.push({ line: at + 1, fault: `a macro has at most ${MOST_STEPS} steps` });
      break;
    }
    if (faults.length === MOST_FAULTS) break;
  }
  return { steps, faults };
}

function stepOf(command: string): ReadOutcome<MacroStep> {
  if (command.startsWith('"')) {
    const txt = quoted(command);
    return txt.kind === 'read' ? readAs({ txt: txt.value }) : txt;
  }
  const [, name = '', argument = ''] = /^(\w+)\s*\((.*)\)$/.exec(command) ?? [];
  switch (name) {
    case 'key':
      return keyStep(argument.trim());
    case 'prompt': {
      const prompt = quoted(argument.trim());
      return prompt.kind === 'read' ? readAs({ txt: '', prompt: prompt.value }) : prompt;
    }
    case 'move':
    case 'copy':
    case 'paste':
      return instructionOf(command) === undefined
        ? readFault(counts[name] ?? EXPECTED)
        : readAs(command.replaceAll(/\s/g, ''));
    default:
      return readFault(EXPECTED);
  }
}

function keyStep(name: string): ReadOutcome<string> {
  if (keyOfStep(name) !== undefined) return readAs(name);
  const nearest = nearestStepName(name);
  const shown = name.slice(0, LONGEST_STEP_NAME);
  return readFault(`there is no key ${shown}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`);
}

function quoted(text: string): ReadOutcome<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // said below
  }
  if (typeof value !== 'string') {
    return readFault('a text stands between quotation marks; in it, write \\" for " and \\\\ for \\');
  }
  if (value.length > LONGEST_STEP_TEXT) return readFault(`a text has at most ${LONGEST_STEP_TEXT} characters`);
  return /[\0\p{Surrogate}]/u.test(value) ? readFault('this text holds what cannot be typed') : readAs(value);
}
