import { nearestName } from '../../nearest-name.js';
import { type ActionData, type ActionFamily, ANY_NUMBER } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { type ToggleName, Toggles } from '../toggles.js';

/** `name`, or `name, value` once or more; without a name all of them. */
function set(terminal: ScriptedTerminal, parameters: readonly string[]): ActionData {
  const { toggles } = terminal.options;
  if (parameters.length === 0) return toggles.list();
  const [first = ''] = parameters;
  if (parameters.length === 1) return [toggles.get(nameOf('Set', first))];
  if (parameters.length % 2 !== 0) throw new ActionError('Set() requires a value for each name');
  for (let at = 0; at < parameters.length; at += 2) {
    change('Set', toggles, nameOf('Set', parameters[at] ?? ''), parameters[at + 1] ?? '');
  }
  return undefined;
}

/** `name` turns a switch round; with a value it is `Set`. */
function toggle(terminal: ScriptedTerminal, parameters: readonly string[]): ActionData {
  const { toggles } = terminal.options;
  const [first = '', value] = parameters;
  if (parameters.length === 0) return toggles.list();
  const name = nameOf('Toggle', first);
  const isSwitch = ['true', 'false'].includes(toggles.get(name));
  if (value === undefined && !isSwitch) throw new ActionError(`Toggle(): ${name} requires a value`);
  change('Toggle', toggles, name, value ?? String(!toggles.isOn(name)));
  return undefined;
}

function nameOf(action: string, written: string): ToggleName {
  const name = Toggles.nameOf(written);
  if (name !== undefined) return name;
  const nearest = nearestName(written, Toggles.names);
  throw new ActionError(
    `${action}(): Unknown toggle name '${written}'${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  );
}

function change(action: string, toggles: Toggles, name: ToggleName, value: string): void {
  const fault = toggles.set(name, value);
  if (fault !== undefined) throw new ActionError(`${action}(): ${fault}`);
}

export const settingActions: ActionFamily = {
  Set: { takes: [0, ANY_NUMBER], act: set },
  Toggle: { takes: [0, 2], act: toggle },
};
