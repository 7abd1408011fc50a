import type { Account } from '../account-book.js';
import type { Application, HostServices, Terminal } from '../application.js';

const HEADING = ['ACCT', 'Account inquiry and update'] as const;

export const accounts: Application = async (terminal, host) => {
  let message = 'Type an account number, e.g. 10000001';
  for (;;) {
    const panel = terminal
      .panel(...HEADING)
      .text(4, 2, 'Account number . .', { colour: 'green' })
      .input('number', 4, 22, { length: 8, numeric: true, colour: 'turquoise', highlighting: 'underscore' })
      .footed(message, 'ENTER=Inquire   F3=Menu');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    const found = host.accounts.find(fields.number ?? '');
    if (key === 'clear') message = '';
    else if (found === undefined) message = `There is no account ${fields.number ?? ''}`;
    else message = await showAccount(terminal, host, found);
  }
};

async function showAccount(terminal: Terminal, host: HostServices, first: Account): Promise<string> {
  let account = first;
  let message = '';
  for (;;) {
    const panel = terminal
      .panel(...HEADING)
      .text(4, 2, 'Account number . .', { colour: 'green' })
      .text(4, 22, account.number, { colour: 'turquoise' })
      .text(6, 2, 'Name . . . . . . .', { colour: 'green' })
      .input('name', 6, 22, { length: 30, value: account.name, colour: 'turquoise', highlighting: 'underscore' })
      .text(8, 2, 'Currency . . . . .', { colour: 'green' })
      .text(8, 22, account.currency, { colour: 'turquoise' })
      .text(10, 2, 'Balance  . . . . .', { colour: 'green' })
      .text(10, 22, amount(account.balance), { colour: account.balance < 0 ? 'red' : 'turquoise' })
      .text(12, 2, 'Limit  . . . . . .', { colour: 'green' })
      .input('limit', 12, 22, {
        length: 12,
        value: amount(account.limit),
        numeric: true,
        colour: 'turquoise',
        highlighting: 'underscore',
      })
      .footed(message, 'F3=Back   F5=Update   F12=Cancel');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3' || key === 'pf12') return '';
    if (key !== 'pf5') {
      message = 'F5 writes the changes';
      continue;
    }
    const limit = amountOf(fields.limit ?? '');
    const name = (fields.name ?? '').toUpperCase();
    if (limit === undefined) message = 'Limit: up to nine digits, a full stop and two decimals';
    else if (name === '') message = 'Name: must not be empty';
    else if (host.accounts.update(account.number, account.version, { name, limit })) {
      return `Account ${account.number} was updated`;
    } else {
      account = host.accounts.find(account.number) ?? account;
      message = 'Another user changed this account: check it again';
    }
  }
}

function amount(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

function amountOf(text: string): number | undefined {
  return /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : undefined;
}
