import { type ActionFamily, ANY_NUMBER } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScreenPicture } from '../screen-picture.js';
import { asCodes, asText, readArea, readBuffer, readField } from '../screen-reads.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { waitFor } from './waiting.js';

/** A read of a picture, by the name of its action. */
const reads: Readonly<Record<string, (picture: ScreenPicture, parameters: readonly string[]) => string[]>> = {
  Ascii: (picture, parameters) => readArea('Ascii', picture, parameters, { form: asText, base: 0 }),
  Ascii1: (picture, parameters) => readArea('Ascii1', picture, parameters, { form: asText, base: 1 }),
  Ebcdic: (picture, parameters) => readArea('Ebcdic', picture, parameters, { form: asCodes, base: 0 }),
  Ebcdic1: (picture, parameters) => readArea('Ebcdic1', picture, parameters, { form: asCodes, base: 1 }),
  ReadBuffer: readBuffer,
};

/** Keeps the screen, to be read later as it is now. */
async function snap(terminal: ScriptedTerminal, parameters: readonly string[]): Promise<readonly string[] | undefined> {
  const [what = 'Save', ...rest] = parameters;
  const folded = what.toLowerCase();
  if (folded === 'save') {
    if (rest.length > 0) throw new ActionError('Snap(): Extra argument(s)');
    terminal.saved = terminal.read();
    return undefined;
  }
  if (folded === 'wait') {
    const [awaited, ...more] = /^\d/.test(rest[0] ?? '') ? rest.slice(1) : rest;
    if (more.length > 0) throw new ActionError('Too many arguments to Snap(Wait)');
    if (awaited === undefined) throw new ActionError('Too few arguments to Snap(Wait)');
    if (awaited.toLowerCase() !== 'output') throw new ActionError('Unknown parameter to Snap(Wait)');
    if (!terminal.isConnected) throw new ActionError('Snap(): Not connected');
    await waitFor('Wait', terminal, rest);
    terminal.saved = terminal.read();
    return undefined;
  }
  const read = Object.entries(reads).find(([name]) => name.toLowerCase() === folded)?.[1];
  const isOfScreen = ['status', 'rows', 'cols'].includes(folded);
  if (read === undefined && !isOfScreen) {
    throw new ActionError(
      'Snap(): Parameter must be save, status, rows, cols, Wait, Ascii, Ascii1, Ebcdic, Ebcdic1 or ReadBuffer',
    );
  }
  if (isOfScreen && rest.length > 0) throw new ActionError('Snap(): Extra argument(s)');
  const { saved } = terminal;
  if (saved === undefined) throw new ActionError('Snap(): No saved state');
  if (read !== undefined) return read(saved, rest);
  const facts: Readonly<Record<string, string>> = {
    status: saved.status,
    rows: String(saved.rows),
    cols: String(saved.columns),
  };
  return [facts[folded] ?? ''];
}

export const readingActions: ActionFamily = {
  ...Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      {
        takes: [0, ANY_NUMBER] as const,
        act: (terminal: ScriptedTerminal, parameters: readonly string[]) => read(terminal.view(), parameters),
      },
    ]),
  ),
  AsciiField: { takes: [0, 0], act: (terminal) => readField('AsciiField', terminal.view(), asText) },
  EbcdicField: { takes: [0, 0], act: (terminal) => readField('EbcdicField', terminal.view(), asCodes) },
  Snap: { takes: [0, ANY_NUMBER], act: snap },
};
