import type { ScreenTexts } from '../../../../src/macros/macro-step.js';
import { words } from '../../words/words.js';
import type { ExtractMark, ParameterMark, Visit } from './visit-recorder.js';

export interface ServiceFiles {
  readonly screens: string;
  readonly service: string;
}

const LONGEST_NAME = 40;
const unnameable = /[^\p{L}\p{N}]+/gu;

/** Name of a parameter or extract from the words beside it: `Account number` becomes `accountNumber`. */
export function nameOfWords(words: string, otherwise: string): string {
  const parts = words
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(unnameable)
    .map((part) => part.replaceAll(/[^A-Za-z0-9]/g, ''))
    .filter((part) => part !== '');
  const name = parts
    .map((part, at) => (at === 0 ? part.toLowerCase() : part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()))
    .join('')
    .slice(0, LONGEST_NAME);
  return /^[A-Za-z]/.test(name) ? name : otherwise;
}

/**
 * Files of a service that repeats the recording. Text of hidden fields becomes a secret parameter.
 * @returns the reason if it is not possible
 */
export function serviceFiles(name: string, visits: readonly Visit[]): ServiceFiles | { readonly problem: string } {
  const unknown = visits.findIndex(({ identity }) => identity === undefined);
  if (unknown >= 0) return { problem: words('visit.noIdentity', { number: unknown + 1 }) };
  const names = new ScreenNames();
  const parameters = new Map<string, string>();
  const steps = visits.flatMap((visit) => stepLines(names.of(visit.identity as ScreenTexts), visit, parameters));
  const screens = [...names.screens].map(
    ([screen, texts]) => `  ${screen}:\n${texts.map((text) => `    - ${condition(text)}\n`).join('')}`,
  );
  const given = [...parameters].map(([parameter, definition]) => `  ${parameter}: ${definition}\n`);
  return {
    screens: `screens:\n${screens.join('')}`,
    service: `service: ${name}\n${given.length === 0 ? '' : `parameters:\n${given.join('')}`}steps:\n${steps.join('')}`,
  };
}

function stepLines(screen: string, visit: Visit, parameters: Map<string, string>): string[] {
  const { typed, cursor, key, extracts, columns } = visit;
  const place = (position: number) => `[${Math.floor(position / columns) + 1}, ${(position % columns) + 1}]`;
  const lines = [`  - at: ${screen}\n`];
  if (extracts.length > 0)
    lines.push('    extract:\n', ...unique(extracts).map((one) => `      ${extractLine(one)}\n`));
  if (typed.length > 0) lines.push('    fill:\n');
  for (const { start, length, label, isHidden, text, mark } of typed) {
    const parameter = mark ?? (isHidden ? { name: nameOfWords(label, 'secret'), isSecret: true } : undefined);
    if (parameter !== undefined) parameters.set(parameter.name, definition(parameter, label, length));
    const filled = parameter === undefined ? text.replaceAll(/[{}]/g, '$&$&') : `{${parameter.name}}`;
    lines.push(`      - { at: ${place(start)}, text: ${quoted(filled)} }  # ${printable(label)}\n`);
  }
  if (cursor !== undefined) lines.push(`    cursor: ${place(cursor)}\n`);
  if (key !== undefined) lines.push(`    press: ${key}\n`);
  return lines;
}

function definition({ isSecret }: ParameterMark, label: string, length: number): string {
  const secret = isSecret ? ', secret: true' : '';
  return `{ type: string, maxLength: ${Math.min(length, 4000)}${secret}, description: ${quoted(printable(label))} }`;
}

function extractLine({ name, as, row, column, lastRow, lastColumn }: ExtractMark): string {
  const type = as === 'string' ? '' : `, as: ${as}`;
  const area =
    row === lastRow
      ? `at: [${row}, ${column}], length: ${lastColumn - column + 1}`
      : `area: [${row}, ${column}, ${lastRow}, ${lastColumn}]`;
  return `${name}: { ${area}${type} }`;
}

/** Keeps the last of several extracts with the same name on a screen. */
function unique(extracts: readonly ExtractMark[]): ExtractMark[] {
  return [...new Map(extracts.map((extract) => [extract.name, extract])).values()];
}

function condition({ text, row, column }: ScreenTexts[number]): string {
  return `{ text: ${quoted(text)}, row: ${row}, column: ${column} }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function printable(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ');
}

class ScreenNames {
  readonly screens = new Map<string, ScreenTexts>();

  of(texts: ScreenTexts): string {
    const same = [...this.screens].find(([, other]) => JSON.stringify(other) === JSON.stringify(texts));
    if (same !== undefined) return same[0];
    const words = nameOfTitle(texts[0]?.text ?? '');
    let name = words;
    for (let number = 2; this.screens.has(name); number++) name = `${words}-${number}`;
    this.screens.set(name, texts);
    return name;
  }
}

function nameOfTitle(title: string): string {
  const name = title
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_NAME);
  return /^[A-Z]/.test(name) ? name : `SCREEN${name === '' ? '' : `-${name}`}`;
}
