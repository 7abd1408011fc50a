import type { Application } from '../application.js';
import { readTransferCommand, transferFile } from '../file-transfer/transfer-file.js';

const LONGEST_COMMAND = 158;
const MOST_LINES = 14;

export const commandLine: Application = async (terminal, host) => {
  let lines: readonly string[] = [
    'IND$FILE PUT or GET transfers a file',
    'LISTCAT lists the files, DELETE name deletes one',
  ];
  for (;;) {
    const panel = terminal.panel('TSO', 'Command line');
    for (const [at, line] of lines.slice(-MOST_LINES).entries()) panel.text(3 + at, 2, line, { colour: 'green' });
    panel
      .text(20, 2, 'READY', { colour: 'neutralWhite', intensified: true })
      .input('command', 21, 2, { length: LONGEST_COMMAND, colour: 'turquoise' })
      .text(24, 2, 'ENTER=Run   F3=Menu', { colour: 'blue' });
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    const typed = (fields.command ?? '').trim();
    const transfer = readTransferCommand(typed, terminal.user);
    if (transfer?.kind === 'fault') lines = [transfer.fault];
    else if (transfer !== undefined) lines = [await transferFile(terminal, host, transfer.value, terminal.encode)];
    else lines = runCommand(typed, host.files);
  }
};

function runCommand(
  typed: string,
  files: { readonly names: readonly string[]; delete(name: string): boolean },
): string[] {
  const [word = '', ...rest] = typed.toUpperCase().split(/\s+/);
  if (word === '') return [];
  if (word === 'LISTCAT') return files.names.length === 0 ? ['There are no files'] : [...files.names];
  if (word !== 'DELETE') return [`COMMAND ${word.slice(0, 8)} NOT FOUND`];
  const name = rest.join(' ').replaceAll("'", '');
  return [files.delete(name) ? `ENTRY ${name} DELETED` : `ENTRY ${name} NOT FOUND`];
}
