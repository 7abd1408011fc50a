import { fieldAttributes, type ScreenChoice, type ScreenCondition } from '../tn3270/screen/screen-condition.js';
import { asMeant, isInstruction, type MacroStep, type ObjectStep, screenStepText } from './macro-step.js';

/** Steps in the notation of macro editors, one command per line; nested steps are indented. */
export function linesOfSteps(steps: readonly MacroStep[]): string[] {
  return steps.flatMap(linesOfStep);
}

export function linesOfStep(step: MacroStep): string[] {
  if (typeof step === 'number') return [JSON.stringify(String.fromCodePoint(step))];
  if (typeof step === 'string') return [isInstruction(step) ? step : `key(${step})`];
  return linesOfObject(asMeant(step));
}

function linesOfObject(step: ObjectStep): string[] {
  if ('screen' in step) return [screenStepText(step.screen)];
  if ('prompt' in step) return [`prompt(${JSON.stringify(step.prompt)})`];
  if ('expect' in step) return [`expect ${choiceText(step.expect)}${withinText(step.within)}`];
  if ('wait' in step) return [`wait ${conditionText(step.wait)}${withinText(step.within)}`];
  if ('if' in step) {
    const other = step.else === undefined ? [] : ['else', ...movedIn(step.else)];
    return [`if ${choiceText(step.if)}`, ...movedIn(step.steps), ...other, 'end'];
  }
  if ('repeat' in step) {
    const until = step.until === undefined ? '' : ` until ${choiceText(step.until)}`;
    return [`repeat ${step.repeat}${until}`, ...movedIn(step.steps), 'end'];
  }
  if ('ask' in step) return [`ask(${JSON.stringify(step.ask)},${step.variable})`];
  if ('read' in step) return [`read(${step.read.join(',')},${step.variable})`];
  if ('type' in step) return [`type(${JSON.stringify(step.type)})`];
  return [JSON.stringify(step.txt)];
}

function movedIn(steps: readonly MacroStep[]): string[] {
  return linesOfSteps(steps).map((line) => `  ${line}`);
}

function withinText(seconds: number | undefined): string {
  return seconds === undefined ? '' : ` within ${seconds}`;
}

function choiceText(screens: ScreenChoice): string {
  return screens.map((conditions) => conditions.map(conditionText).join(', ')).join(' or ');
}

function conditionText(condition: ScreenCondition): string {
  if ('text' in condition) {
    const { text, row, column, area } = condition;
    const place = area === undefined ? [row, column].filter((one) => one !== undefined) : [`area(${area.join(',')})`];
    return `text(${[JSON.stringify(text), ...place].join(',')})`;
  }
  if ('not' in condition) return `not(${conditionText(condition.not)})`;
  if ('fields' in condition) return `fields(${condition.fields})`;
  if ('inputFields' in condition) return `inputFields(${condition.inputFields})`;
  if ('cursor' in condition) return `cursor(${condition.cursor.join(',')})`;
  if ('blank' in condition) return 'blank()';
  const { attribute } = condition;
  const named = fieldAttributes.filter((name) => attribute[name] !== undefined);
  return `attribute(${[...attribute.at, ...named.map((name) => (attribute[name] ? name : `!${name}`))].join(',')})`;
}
