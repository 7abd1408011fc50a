import {
  below,
  type Fault,
  faultHere,
  integerFault,
  isObject,
  kindOf,
  listFault,
  member,
  nameFault,
  rangeFault,
  textFault,
  UNTYPABLE,
  unexpected,
} from '../lib/documents/json-checks.js';
import type { Reason } from '../lib/locale.js';
import { stepNames } from '../tn3270/keyboard/key-names.js';
import { readTextPieces } from '../tn3270/keyboard/text-pieces.js';
import {
  areaFault,
  LARGEST_ROW_OR_COLUMN,
  LONGEST_SCREEN_TEXT,
  screensFault,
  textConditionFault,
} from '../tn3270/screen/screen-condition.js';
import {
  LONGEST_DESCRIPTION,
  LONGEST_MACRO_NAME,
  LONGEST_STEP_NAME,
  LONGEST_STEP_TEXT,
  MOST_MACROS,
  MOST_STEPS,
} from './macro-set.js';
import {
  DEEPEST_STEP,
  isInstruction,
  LONGEST_QUESTION,
  LONGEST_VARIABLE,
  LONGEST_WAIT_SECONDS,
  type MacroStep,
  MOST_ROUNDS,
  MOST_SCREEN_TEXTS,
  stepKinds,
  variableName,
} from './macro-step.js';

const knownKeys: ReadonlySet<string> = new Set(stepNames);
const LARGEST_KEY_CODE = 65_535;

export function isKnownStep(step: MacroStep): boolean {
  return typeof step !== 'string' || knownKeys.has(step) || isInstruction(step);
}

/**
 * First error of a JSON document as a macro file (specification 2.7), with its JSON path. Quotes no texts, because
 * macros contain passwords.
 * @param isStored true for a stored file: an unknown key name then stops its macro when it runs, but does not make the
 * file invalid
 */
export function macroFault(document: unknown, isStored = false): Fault {
  return below('$', setFault(document, isStored));
}

function setFault(value: unknown, isStored: boolean): Fault {
  if (!isObject(value)) return unexpected('type.object', value);
  const desc = member(value, 'desc');
  return (
    listFault('.macros', member(value, 'macros'), MOST_MACROS, 'items.macros', (macro) =>
      faultOfOne(macro, isStored),
    ) ??
    (desc === undefined ? undefined : below('.desc', textFault(desc, LONGEST_DESCRIPTION, UNTYPABLE))) ??
    below('.fmt', integerFault(member(value, 'fmt')))
  );
}

function faultOfOne(value: unknown, isStored: boolean): Fault {
  if (!isObject(value)) return unexpected('type.object', value);
  const mapping = member(value, 'mapping');
  return (
    below('.name', nameFault(member(value, 'name'), LONGEST_MACRO_NAME)) ??
    below('.rev', integerFault(member(value, 'rev'))) ??
    below('.def', stepsFault(member(value, 'def'), isStored)) ??
    (mapping === undefined ? undefined : below('.mapping', mappingFault(mapping)))
  );
}

export function stepsFault(steps: unknown, isStored: boolean): Fault {
  return new StepCheck(isStored).steps(steps);
}

class StepCheck {
  readonly #isStored: boolean;
  readonly #variables = new Set<string>();
  #count = 0;
  #depth = 0;

  constructor(isStored: boolean) {
    this.#isStored = isStored;
  }

  steps(steps: unknown): Fault {
    if (Array.isArray(steps)) this.#count += steps.length;
    if (this.#depth > 0 && this.#count > MOST_STEPS) {
      return faultHere('value.mostInAll', { most: MOST_STEPS });
    }
    return listFault('', steps, MOST_STEPS, 'items.steps', (step) => this.#step(step));
  }

  #step(step: unknown): Fault {
    if (typeof step === 'string') {
      const isTaken = this.#isStored || isKnownStep(step);
      return nameFault(step, LONGEST_STEP_NAME) ?? (isTaken ? undefined : faultHere('value.stepName'));
    }
    if (typeof step === 'number') {
      if (isCharacterCode(step)) return undefined;
      return faultHere('value.unexpected', { expected: { code: 'type.characterCode' }, found: step });
    }
    if (!isObject(step)) return unexpected('type.step', step);
    const txt = member(step, 'txt');
    const fault = below('.txt', textFault(txt, LONGEST_STEP_TEXT, UNTYPABLE));
    const named = stepKinds.filter((name) => member(step, name) !== undefined);
    const kind = named.find((name) => txt === '' || name === 'screen' || name === 'prompt');
    if (fault !== undefined || kind === undefined) return fault;
    if (kind === 'screen') return below('.screen', screenFault(member(step, kind), txt !== '' || named.length > 1));
    if (named.length > 1 && txt === '') return faultHere('value.oneOfFoundMore', { names: stepKinds.join(', ') });
    return below(`.${kind}`, this.#kindFault[kind](member(step, kind))) ?? this.#rest(kind, step);
  }

  readonly #kindFault: Readonly<Record<Exclude<(typeof stepKinds)[number], 'screen'>, (value: unknown) => Fault>> = {
    prompt: (question) => textFault(question, LONGEST_STEP_TEXT, UNTYPABLE),
    expect: screensFault,
    wait: textConditionFault,
    if: screensFault,
    repeat: (most) => rangeFault(most, 1, MOST_ROUNDS),
    ask: (question) => nameFault(question, LONGEST_QUESTION),
    read: areaFault,
    type: (text) => textFault(text, LONGEST_STEP_TEXT, UNTYPABLE) ?? this.#variablesFault(text as string),
  };

  #rest(kind: string, step: object): Fault {
    const seconds = member(step, 'within');
    const until = member(step, 'until');
    const other = member(step, 'else');
    const name = member(step, 'variable');
    switch (kind) {
      case 'expect':
        return seconds === undefined ? undefined : below('.within', rangeFault(seconds, 1, LONGEST_WAIT_SECONDS));
      case 'wait':
        return below('.within', rangeFault(seconds, 1, LONGEST_WAIT_SECONDS));
      case 'if':
        return (
          below('.steps', this.#inner(member(step, 'steps'))) ??
          (other === undefined ? undefined : below('.else', this.#inner(other)))
        );
      case 'repeat':
        return (
          (until === undefined ? undefined : below('.until', screensFault(until))) ??
          below('.steps', this.#inner(member(step, 'steps')))
        );
      case 'ask':
      case 'read':
        return below('.variable', this.#nameFault(name));
      default:
        return undefined;
    }
  }

  #inner(steps: unknown): Fault {
    if (this.#depth >= DEEPEST_STEP) return faultHere('value.stepDepth', { most: DEEPEST_STEP });
    this.#depth++;
    const fault = this.steps(steps);
    this.#depth--;
    return fault;
  }

  #nameFault(name: unknown): Fault {
    const fault = nameFault(name, LONGEST_VARIABLE);
    if (fault !== undefined) return fault;
    if (!variableName.test(name as string)) return faultHere('value.variableName');
    this.#variables.add(name as string);
    return undefined;
  }

  /** An unset variable is an error in a new macro. In a stored macro, it stops the macro when it runs. */
  #variablesFault(text: string): Fault {
    const pieces = readTextPieces(text);
    if (pieces.kind === 'fault') return faultHere('value.brace');
    const isUnset = pieces.value.some((piece) => piece.kind === 'parameter' && !this.#variables.has(piece.name));
    return isUnset && !this.#isStored ? faultHere('value.unsetVariable') : undefined;
  }
}

function screenFault(screen: unknown, isMore: boolean): Fault {
  if (isMore) return faultHere('value.screenAlone');
  if (Array.isArray(screen) && screen.length === 0) return faultHere('value.noText');
  return listFault('', screen, MOST_SCREEN_TEXTS, 'items.texts', (text) => {
    if (!isObject(text)) return unexpected('type.object', text);
    return (
      below('.text', nameFault(member(text, 'text'), LONGEST_SCREEN_TEXT)) ??
      below('.row', rangeFault(member(text, 'row'), 1, LARGEST_ROW_OR_COLUMN)) ??
      below('.column', rangeFault(member(text, 'column'), 1, LARGEST_ROW_OR_COLUMN))
    );
  });
}

function mappingFault(mapping: unknown): Fault {
  if (!isObject(mapping)) return unexpected('type.object', mapping);
  const key = member(mapping, 'key');
  if (key !== 'ctrl' && key !== 'alt') {
    const found: Reason = typeof key === 'string' ? { code: 'type.otherString' } : kindOf(key);
    return below('.key', faultHere('value.unexpected', { expected: { code: 'type.ctrlOrAlt' }, found }));
  }
  const code = member(mapping, 'keycode');
  return below('.keycode', rangeFault(code, 0, LARGEST_KEY_CODE));
}

function isCharacterCode(code: number): boolean {
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
}
