import { nearestName } from '../lib/text/nearest-name.js';
import { type Action, type ActionFamily, ANY_NUMBER } from './action.js';
import { ActionError } from './action-error.js';
import { connectionActions } from './actions/connection.js';
import { editingActions } from './actions/editing.js';
import { keyActions } from './actions/keys.js';
import { lineActions } from './actions/line.js';
import { printingActions } from './actions/printing.js';
import { queryingActions } from './actions/querying.js';
import { readingActions } from './actions/reading.js';
import { scriptingActions } from './actions/scripting.js';
import { settingActions } from './actions/setting.js';
import { tracingActions } from './actions/tracing.js';
import { transferringActions } from './actions/transferring.js';
import { waitingActions } from './actions/waiting.js';

const sundryActions: ActionFamily = {
  Bell: { takes: [0, 0], act: () => ['(ding)'] },
  /** Shown for a moment by terminals with a window. */
  Info: { takes: [1, 1], act: () => undefined },
  /** Sent by Py3270 and by Robot Framework's library to check whether the program is alive. */
  ignore: { takes: [0, ANY_NUMBER], act: () => undefined },
};

const actions: ActionFamily = {
  ...connectionActions,
  ...editingActions,
  ...keyActions,
  ...lineActions,
  ...printingActions,
  ...queryingActions,
  ...readingActions,
  ...scriptingActions,
  ...settingActions,
  ...sundryActions,
  ...tracingActions,
  ...transferringActions,
  ...waitingActions,
};

export const actionNames: readonly string[] = Object.keys(actions).sort((left, right) =>
  left.toLowerCase() < right.toLowerCase() ? -1 : 1,
);

const byFoldedName = new Map(Object.entries(actions).map(([name, action]) => [name.toLowerCase(), { name, action }]));

interface FoundAction {
  readonly name: string;
  readonly action: Action;
}

/** Finds an action by its name, in any case, or by an unambiguous abbreviation. @throws ActionError */
export function findAction(written: string): FoundAction {
  const folded = written.toLowerCase();
  const exact = byFoldedName.get(folded);
  if (exact !== undefined) return exact;
  const beginning = [...byFoldedName].filter(([name]) => name.startsWith(folded)).map(([, found]) => found);
  const [only] = beginning;
  if (beginning.length > 1) throw new ActionError(`Ambiguous action name: ${written}`);
  if (only !== undefined) return only;
  const nearest = nearestName(written, Object.keys(actions));
  throw new ActionError(`Unknown action: ${written}${nearest === undefined ? '' : `\nDid you mean ${nearest}?`}`);
}

export function checkCount({ name, action: { takes, countedAs = name } }: FoundAction, count: number): void {
  const [least, most] = takes;
  if (count >= least && count <= most) return;
  const many = most === ANY_NUMBER ? `at least ${least}` : `${least}`;
  const upTo = most === least || most === ANY_NUMBER ? '' : most === least + 1 ? ` or ${most}` : ` to ${most}`;
  throw new ActionError(`${countedAs}() requires ${many}${upTo} argument${most === 1 && least === 1 ? '' : 's'}`);
}
