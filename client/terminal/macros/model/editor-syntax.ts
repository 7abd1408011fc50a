import { instructionOf } from '../../../../src/macro/instruction.js';
import { stepFault } from '../../../../src/macro/macro-fault.js';
import { LONGEST_STEP_NAME, LONGEST_STEP_TEXT, type MacroStep, MOST_STEPS } from '../../../../src/macro/macro-set.js';
import { type ScreenText, screenStepText } from '../../../../src/macro/screen-step.js';
import { keyOfStep, nearestStepName } from './step-keys.js';

interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

interface EditedSteps {
  readonly steps: readonly MacroStep[];
  readonly problems: readonly LineFault[];
}

const MOST_PROBLEMS = 20;
const EXPECTED = 'expected "text", key(…), move(…), copy(…), paste(…), prompt("…") or screen(…)';
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
    else if (step.screen !== undefined) lines.push(screenStepText(step.screen));
    else if (step.prompt === undefined) lines.push(JSON.stringify(step.txt));
    else lines.push(`prompt(${JSON.stringify(step.prompt)})`);
  }
  finish();
  return lines.join('\n');
}

/** Empty lines are left out. */
export function stepsOfText(text: string): EditedSteps {
  const steps: MacroStep[] = [];
  const problems: LineFault[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const command = line.trim();
    if (command === '') continue;
    const step = stepOf(command);
    if (typeof step === 'object' && 'problem' in step) problems.push({ line: at + 1, problem: step.problem });
    else steps.push(step);
    if (steps.length > MOST_STEPS) {
      problems.push({ line: at + 1, problem: `a macro has at most ${MOST_STEPS} steps` });
      break;
    }
    if (problems.length === MOST_PROBLEMS) break;
  }
  return { steps, problems };
}

function stepOf(command: string): MacroStep | { readonly problem: string } {
  if (command.startsWith('"')) {
    const txt = quoted(command);
    return typeof txt === 'string' ? { txt } : txt;
  }
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
        ? { problem: counts[name] ?? EXPECTED }
        : command.replaceAll(/\s/g, '');
    default:
      return { problem: EXPECTED };
  }
}

function keyStep(name: string): string | { readonly problem: string } {
  if (keyOfStep(name) !== undefined) return name;
  const nearest = nearestStepName(name);
  const shown = name.slice(0, LONGEST_STEP_NAME);
  return { problem: `there is no key ${shown}${nearest === undefined ? '' : `; did you mean ${nearest}?`}` };
}

function screenStep(argument: string): MacroStep | { readonly problem: string } {
  const problem = 'a screen takes row, column and text, as often as needed: screen(1,2,"MENU",3,2,"Option")';
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
  return stepFault(step, false) === undefined ? step : { problem };
}

function quoted(text: string): string | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // said below
  }
  if (typeof value !== 'string') {
    return { problem: 'a text stands between quotation marks; in it, write \\" for " and \\\\ for \\' };
  }
  if (value.length > LONGEST_STEP_TEXT) return { problem: `a text has at most ${LONGEST_STEP_TEXT} characters` };
  return /[\0\p{Surrogate}]/u.test(value) ? { problem: 'this text holds what cannot be typed' } : value;
}
