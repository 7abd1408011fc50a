import type { DifferenceLine } from '../../lib/text/line-comparison.js';
import { type MacroSetDifference, macroSetDifference } from '../../macros/macro-difference.js';
import type { Macro, MacroSet } from '../../macros/macro-set.js';
import { linesOfSteps } from '../../macros/step-text.js';
import type { PortalWording } from '../words/portal-wording.js';
import type { PageVariables } from './portal-route.js';

/** Maximum number of steps shown of one macro, and of characters of all macros on a page. */
const MOST_SHOWN_STEPS = 200;
const MOST_STEP_CHARACTERS = 200;
const MOST_SHOWN_CHARACTERS = 300_000;
const MOST_DIFFERENCE_LINES = 400;
const MOST_LINE_CHARACTERS = 300;
/** Number of unchanged lines shown before and after a changed one. */
const CONTEXT_LINES = 3;

const FIRST_FUNCTION_KEY_CODE = 112;

/** Variables of a page about macros: `$MACRO$`; the others have the same number of values. */
export function macroVariables({ macros, desc, fmt }: MacroSet, words: PortalWording): PageVariables {
  let left = MOST_SHOWN_CHARACTERS;
  const steps = macros.map(({ def }) => {
    if (def.length === 0) return words.text('macros.noSteps');
    if (left <= 0) return words.text('macros.tooMuch');
    const lines = linesOfSteps(def);
    const shown = lines.slice(0, MOST_SHOWN_STEPS).map((line) => words.cut(line, MOST_STEP_CHARACTERS));
    const text = [...shown, ...moreSteps(lines.length - shown.length, words)].join('\n');
    left -= text.length;
    return text;
  });
  return {
    '$MACRO-COUNT$': [words.counted('macro', macros.length)],
    $DESCRIPTION$: desc === undefined || desc === '' ? undefined : [words.cut(desc, MOST_LINE_CHARACTERS)],
    $FORMAT$: fmt === undefined ? undefined : [String(fmt)],
    $MACRO$: macros.map(({ name }) => name),
    '$MACRO-REVISION$': macros.map(({ rev }) => (rev === undefined ? '–' : String(rev))),
    '$MACRO-HOT-KEY$': macros.map((macro) => hotKeyText(macro, words)),
    '$MACRO-STEP-COUNT$': macros.map(({ def }) => words.counted('step', def.length)),
    '$MACRO-STEPS$': steps,
  };
}

/** `Ctrl+L`: letters, digits and function keys have the codes of their key (reference 5.2). */
function hotKeyText({ mapping }: Macro, words: PortalWording): string {
  if (mapping === undefined) return '–';
  const { key, keycode } = mapping;
  const isCharacter = (keycode >= 48 && keycode <= 57) || (keycode >= 65 && keycode <= 90);
  const functionKey = keycode - FIRST_FUNCTION_KEY_CODE + 1;
  const isFunctionKey = functionKey >= 1 && functionKey <= 24;
  const name = isCharacter
    ? String.fromCharCode(keycode)
    : isFunctionKey
      ? `F${functionKey}`
      : words.text('macros.keyCode', { code: keycode });
  return `${key === 'ctrl' ? 'Ctrl' : 'Alt'}+${name}`;
}

interface ShownLine {
  readonly event: 'HEADING' | 'SAME' | 'ADDED' | 'REMOVED' | 'SKIPPED';
  readonly text: string;
}

/** Variables for the difference of two sets: `$EVENT$` is the kind of each value of `$DIFFERENCE$`. */
export async function differenceVariables(
  older: MacroSet,
  newer: MacroSet,
  words: PortalWording,
): Promise<PageVariables> {
  return variablesOf(shownLines(await macroSetDifference(older, newer), words), words);
}

/** The same for two versions of a text. */
export function textDifferenceVariables(lines: readonly DifferenceLine[], words: PortalWording): PageVariables {
  return variablesOf(lines.every(({ mark }) => mark === 'same') ? [] : withContext(lines, words), words);
}

function variablesOf(lines: readonly ShownLine[], words: PortalWording): PageVariables {
  const shown = lines.slice(0, MOST_DIFFERENCE_LINES);
  const more = lines.length - shown.length;
  return {
    $EVENT$: shown.map(({ event }) => event),
    $DIFFERENCE$: shown.map(({ text }) => words.cut(text, MOST_LINE_CHARACTERS)),
    '$DIFFERENCE-MORE$': more > 0 ? [words.counted('moreLine', more)] : undefined,
    '$NO-DIFFERENCE$': lines.length === 0 ? ['yes'] : undefined,
  };
}

function shownLines({ lines, macros }: MacroSetDifference, words: PortalWording): ShownLine[] {
  const shown: ShownLine[] =
    lines.length === 0 ? [] : [heading(words.text('macros.fileChanged')), ...withContext(lines, words)];
  for (const { name, change, lines: ofMacro } of macros) {
    shown.push(heading(words.text(`macros.${change}`, { name })), ...withContext(ofMacro, words));
  }
  return shown;
}

function heading(text: string): ShownLine {
  return { event: 'HEADING', text };
}

const events = { same: 'SAME', added: 'ADDED', removed: 'REMOVED' } as const;

/** Omits unchanged lines that are far from any changed line. */
function withContext(lines: readonly DifferenceLine[], words: PortalWording): ShownLine[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  for (const [index, { mark }] of lines.entries()) {
    if (mark === 'same') continue;
    isNear.fill(true, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  }
  const shown: ShownLine[] = [];
  let skipped = 0;
  const tellSkipped = () => {
    if (skipped > 0) shown.push({ event: 'SKIPPED', text: words.counted('sameLine', skipped) });
    skipped = 0;
  };
  for (const [index, { mark, text }] of lines.entries()) {
    if (isNear[index] !== true) {
      skipped += 1;
      continue;
    }
    tellSkipped();
    shown.push({ event: events[mark], text });
  }
  tellSkipped();
  return shown;
}

function moreSteps(more: number, words: PortalWording): string[] {
  return more > 0 ? [words.counted('moreStep', more)] : [];
}
