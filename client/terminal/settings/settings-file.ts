import { MOST_SETTINGS_BYTES, readSettings } from '../../../src/terminal/settings/read-settings.js';
import type { TerminalSettings } from '../../../src/terminal/settings/terminal-settings.js';
import { saveFile } from '../save-file.js';
import { sizeText } from '../words/locale.js';
import { reasonWords, words } from '../words/words.js';
import { keymapOfResources, LARGEST_KEYMAP } from './x3270-keymap.js';

type Own = Partial<TerminalSettings>;

type Imported =
  | { readonly kind: 'taken'; readonly own: Own; readonly lines: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

const FILE_NAME = 'sallyport-settings.json';
const MOST_LINES = 50;

export function exportSettings(own: Own): void {
  saveFile(new Blob([`${JSON.stringify(own, null, 2)}\n`], { type: 'application/json' }), FILE_NAME);
}

/** Merges an exported settings file, or the keys of an x3270 key map, with the existing settings. */
export async function importedSettings(file: File, own: Own): Promise<Imported> {
  const most = Math.max(MOST_SETTINGS_BYTES, LARGEST_KEYMAP);
  if (file.size > most) return { kind: 'refused', reason: words('settings.fileTooLarge', { bytes: sizeText(most) }) };
  const text = await file.text().catch(() => undefined);
  if (text === undefined) return { kind: 'refused', reason: words('settings.fileUnreadable') };
  return text.trimStart().startsWith('{') ? ofJson(text, own) : ofKeymap(text, own);
}

function ofJson(text: string, own: Own): Imported {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'refused', reason: words('settings.fileNoJson') };
  }
  const { settings, faults } = readSettings(value);
  const count = Object.keys(settings).length;
  if (count === 0) return { kind: 'refused', reason: words('settings.fileNothing') };
  const lines = faults.map(({ name, reason }) => words('settings.fileFault', { name, reason: reasonWords(reason) }));
  return { kind: 'taken', own: { ...own, ...settings }, lines: [words('settings.imported', { count }), ...cut(lines)] };
}

function ofKeymap(text: string, own: Own): Imported {
  const { keys, faults, isKeymap } = keymapOfResources(text);
  if (!isKeymap) return { kind: 'refused', reason: words('settings.fileNothing') };
  const count = Object.keys(keys).length;
  const lines = faults.map(({ line, text: source, reason }) => words('settings.lineFault', { line, source, reason }));
  const changed: Own = count === 0 ? own : { ...own, keys: { ...own.keys, ...keys } };
  if (readSettings(changed).faults.length > 0) return { kind: 'refused', reason: words('keys.full') };
  return { kind: 'taken', own: changed, lines: [words('settings.importedKeys', { count }), ...cut(lines)] };
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), words('settings.moreLines', { count: lines.length - MOST_LINES })];
}
