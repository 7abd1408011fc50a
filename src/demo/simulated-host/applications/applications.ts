import type { Application } from '../application.js';
import { accounts } from './accounts.js';
import { apl } from './apl.js';
import { clock } from './clock.js';
import { colours } from './colours.js';
import { commandLine } from './command-line.js';
import { form } from './form.js';
import { japanese } from './japanese.js';
import { late } from './late.js';
import { logon } from './logon.js';
import { members } from './members.js';
import { menu } from './menu.js';
import { operator } from './operator.js';
import { signOn } from './sign-on.js';
import { statement } from './statement.js';

/** Every application by the name that others go on to it with. */
export const applications: Readonly<Record<string, Application>> = {
  LOGON: logon,
  SIGNON: signOn,
  MENU: menu,
  MEMBERS: members,
  ACCOUNTS: accounts,
  FORM: form,
  COLOURS: colours,
  APL: apl,
  JAPANESE: japanese,
  CLOCK: clock,
  LATE: late,
  STATEMENT: statement,
  OPERATOR: operator,
  TSO: commandLine,
};

export const firstApplications = ['SIGNON', 'LOGON', 'MENU'] as const;
export type FirstApplication = (typeof firstApplications)[number];
