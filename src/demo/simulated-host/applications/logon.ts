import type { Application } from '../application.js';

const command = /^LOGON(?:\s+APPLID\(?(\w{1,8})\)?)?$|^L(?:\s+(\w{1,8}))?$/i;
const names: ReadonlySet<string> = new Set(['SIGNON', 'TSO', 'CICS']);

/** What a terminal shows before an application is chosen, as the host's access method would. */
export const logon: Application = async (terminal) => {
  let message = '';
  for (;;) {
    const panel = terminal
      .panel()
      .text(1, 2, `TERMINAL ${terminal.deviceName}`, { colour: 'turquoise' })
      .text(1, 60, terminal.deviceType, { colour: 'turquoise' })
      .text(4, 24, 'S A L L Y P O R T   S I M', { colour: 'yellow', intensified: true })
      .text(6, 20, 'A simulated host to try terminals on', { colour: 'green' })
      .text(9, 10, 'LOGON APPLID(TSO)     sign on', { colour: 'blue' })
      .text(10, 10, 'LOGOFF                leave', { colour: 'blue' })
      .text(20, 2, message, { colour: 'red', intensified: true })
      .text(22, 2, '===>', { colour: 'green' })
      .input('command', 22, 7, { length: 60, colour: 'neutralWhite', highlighting: 'underscore' });
    const { key, fields } = await terminal.show(panel);
    const typed = fields.command ?? '';
    if (key === 'pf3' || /^(LOGOFF|BYE|QUIT)$/i.test(typed)) return undefined;
    const [, applid, short] = command.exec(typed) ?? [];
    const name = (applid ?? short ?? 'TSO').toUpperCase();
    if (!command.test(typed))
      message = typed === '' ? 'ENTER A COMMAND' : `UNRECOGNIZED COMMAND: ${typed.slice(0, 30)}`;
    else if (!names.has(name)) message = `APPLICATION ${name} IS NOT ACTIVE`;
    else return 'SIGNON';
  }
};
