import type { Application } from '../application.js';

const choices: ReadonlyArray<readonly [option: string, application: string, title: string]> = [
  ['1', 'MEMBERS', 'Members      list and browse source members'],
  ['2', 'ACCOUNTS', 'Accounts     inquire and update'],
  ['3', 'FORM', 'Form         numeric, mandatory and validated fields'],
  ['4', 'COLOURS', 'Colours      colours, highlighting and field attributes'],
  ['5', 'APL', 'APL          APL characters and line drawing'],
  ['6', 'JAPANESE', 'Japanese     double-byte characters (code page 939)'],
  ['7', 'CLOCK', 'Clock        the host writes unasked'],
  ['8', 'LATE', 'Late         the host takes its time'],
  ['9', 'OPERATOR', 'Operator     order faults for this terminal'],
  ['P', 'STATEMENT', 'Statement    print an account statement'],
  ['T', 'TSO', 'TSO          type commands: IND$FILE transfers files'],
];

export const menu: Application = async (terminal, host) => {
  let message = '';
  for (;;) {
    const panel = terminal
      .panel('MENU', 'Sallyport simulated host')
      .text(3, 2, 'Option ===>', { colour: 'green' })
      .input('option', 3, 14, { length: 8, colour: 'turquoise', highlighting: 'underscore' })
      .text(3, 50, `User . . : ${terminal.user ?? 'nobody'}`, { colour: 'green' })
      .text(4, 50, `Terminal : ${terminal.deviceName}`, { colour: 'green' })
      .text(5, 50, `Date . . : ${host.now().toISOString().slice(0, 10)}`, { colour: 'green' });
    for (const [at, [option, , title]] of choices.entries()) {
      panel
        .text(7 + at, 6, option, { colour: 'neutralWhite', intensified: true })
        .text(7 + at, 10, title, { colour: 'green' });
    }
    panel
      .text(19, 6, 'X', { colour: 'neutralWhite', intensified: true })
      .text(19, 10, 'Exit         log off', { colour: 'green' })
      .text(22, 2, message, { colour: 'red', intensified: true })
      .text(24, 2, 'ENTER=Select   F3=Log off', { colour: 'blue' });
    const { key, fields } = await terminal.show(panel);
    const option = (fields.option ?? '').toUpperCase();
    if (key === 'pf3' || option === 'X') return undefined;
    const chosen = choices.find(([one]) => one === option);
    if (key !== 'enter') message = 'This key is not active';
    else if (chosen === undefined) message = option === '' ? 'Please select an option' : `There is no option ${option}`;
    else return chosen[1];
  }
};
