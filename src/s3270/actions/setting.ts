import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '../../lib/text/nearest-name.js';
import { type ActionData, type ActionFamily, ANY_NUMBER, type ScriptCaller } from '../action.js';
import { ActionError } from '../action-error.js';
import { beginScreenTrace } from '../screen-trace.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { type PortName, type ToggleName, Toggles } from '../toggles.js';
import { ownTraceFile } from './tracing.js';

async function set(
  terminal: ScriptedTerminal,
  parameters: readonly string[],
  { tools }: ScriptCaller,
): Promise<ActionData> {
  const toggles = togglesAsTheyAre(terminal);
  if (parameters.length === 0) return toggles.list();
  const [first = ''] = parameters;
  if (parameters.length === 1) return [toggles.shown(nameOf('Set', first))];
  if (parameters.length % 2 !== 0) throw new ActionError(`Set(): '${parameters.at(-1)}' requires a value`);
  for (let at = 0; at < parameters.length; at += 2) {
    await change({ action: 'Set', terminal, tools }, nameOf('Set', parameters[at] ?? ''), parameters[at + 1] ?? '');
  }
}

async function toggle(
  terminal: ScriptedTerminal,
  parameters: readonly string[],
  { tools }: ScriptCaller,
): Promise<ActionData> {
  const toggles = togglesAsTheyAre(terminal);
  const [first = '', value] = parameters;
  if (parameters.length === 0) return toggles.list();
  if (parameters.length > 2) throw new ActionError('Toggle() can only set one value');
  const name = nameOf('Toggle', first);
  if (value === undefined && !Toggles.isSwitch(name)) throw new ActionError(`Toggle(): '${name}' requires a value`);
  await change({ action: 'Toggle', terminal, tools }, name, value ?? String(!toggles.isOn(name)));
}

/** Keys and the host can also change insert mode. */
function togglesAsTheyAre({ options, screen }: ScriptedTerminal): Toggles {
  options.toggles.set('insertMode', String(screen.state.operator.insertMode));
  return options.toggles;
}

function nameOf(action: string, written: string): ToggleName {
  const name = Toggles.nameOf(written);
  if (name !== undefined) return name;
  const nearest = nearestName(written, Toggles.names);
  throw new ActionError(
    `${action}(): Unknown toggle name '${written}'${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  );
}

/** A screen of the same model keeps its current size. */
function changeKind(terminal: ScriptedTerminal): void {
  const { name, model } = terminal.kind;
  const { rows, columns } = terminal.screen.state.space;
  terminal.changeKind();
  const { name: newName, model: newModel } = terminal.kind;
  const isSame = name === newName && isDeepStrictEqual(model.alternateSize, newModel.alternateSize);
  if (isSame) terminal.screen.state.space.resize({ rows, columns });
}

/** Models without extended attributes have only their own size. The setting is changed to the full model name. */
function changeModel(terminal: ScriptedTerminal): void {
  const { toggles } = terminal.options;
  if (!terminal.isConnected && /^327[89]-[2-5]$/.test(toggles.get('model'))) toggles.set('oversize', '');
  changeKind(terminal);
  toggles.set('model', terminal.kind.name.replace(/^IBM-/, ''));
}

type Effect = (terminal: ScriptedTerminal, tools: ScriptTools<ScriptedTerminal>) => void | Promise<void>;

/** Side effects of settings. The setting is restored if its effect fails. */
const effects: { readonly [Name in ToggleName]?: Effect } = {
  alwaysInsert: ({ screen, options, isConnected }) => {
    const { operator } = screen.state;
    operator.alwaysInserts = options.toggles.isOn('alwaysInsert');
    if (isConnected) operator.endInsertMode();
  },
  codePage: (terminal) => {
    if (terminal.isConnected) terminal.changeCodePage();
    else changeKind(terminal);
    terminal.options.toggles.set('codePage', terminal.kind.codePageName);
  },
  httpd: (terminal, tools) => openPort(terminal, tools, 'httpd'),
  insertMode: ({ screen, options }) => {
    screen.state.operator.insertMode = options.toggles.isOn('insertMode');
  },
  // as in s3270: line terminals wrap initially, regardless of the setting
  lineWrap: ({ screen, options }) => {
    screen.wrapsLines = options.toggles.isOn('lineWrap');
  },
  model: changeModel,
  oversize: changeModel,
  screenTrace: (terminal, tools) => {
    const isOn = terminal.options.toggles.isOn('screenTrace');
    if (isOn !== (terminal.screenTrace !== undefined))
      terminal.traceScreens(isOn ? beginScreenTrace(tools, {}) : undefined);
  },
  scriptPort: (terminal, tools) => openPort(terminal, tools, 'scriptPort'),
  trace: (terminal, tools) => {
    const isOn = terminal.options.toggles.isOn('trace');
    terminal.trace(isOn ? (terminal.traceFile ?? ownTraceFile(terminal, tools)) : undefined, tools);
  },
};

const ofConnections: ReadonlySet<ToggleName> = new Set([
  ...([
    'acceptHostname',
    'caDir',
    'caFile',
    'certFile',
    'certFileType',
    'chainFile',
    'keyFile',
    'keyFileType',
  ] as const),
  ...(['keyPasswd', 'startTls', 'termName', 'tlsMaxProtocol', 'tlsMinProtocol', 'verifyHostCert'] as const),
]);

const ofFiles: ReadonlySet<ToggleName> = new Set([
  ...(['caDir', 'caFile', 'certFile', 'chainFile', 'cookieFile', 'hostsFile', 'keyFile', 'traceFile'] as const),
]);

function namesFile(name: ToggleName, value: string): boolean {
  return (ofFiles.has(name) && value !== '') || (name === 'keyPasswd' && value.startsWith('file:'));
}

interface Asking {
  readonly action: string;
  readonly terminal: ScriptedTerminal;
  readonly tools: ScriptTools<ScriptedTerminal>;
}

async function openPort(
  terminal: ScriptedTerminal,
  tools: ScriptTools<ScriptedTerminal>,
  name: PortName,
): Promise<void> {
  const { toggles } = terminal.options;
  toggles.set(name, await tools.setPort(terminal, name, toggles.get(name)));
}

async function change({ action, terminal, tools }: Asking, name: ToggleName, value: string): Promise<void> {
  // an empty model keeps the current one
  if (name === 'model' && value === '') return;
  if (terminal.isConnected && ofConnections.has(name)) {
    throw new ActionError(`${name} cannot change while connected`);
  }
  if (name === 'lineMode' && !terminal.isInLineMode) throw new ActionError('Can only change lineMode in NVT mode');
  if (namesFile(name, value)) tools.checkNamedFile(value);
  const { toggles } = terminal.options;
  const before = toggles.get(name);
  const fault = toggles.set(name, value, action);
  if (fault !== undefined) throw new ActionError(fault);
  try {
    await effects[name]?.(terminal, tools);
  } catch (error) {
    toggles.set(name, before);
    throw error;
  }
}

export const settingActions: ActionFamily = {
  Set: { takes: [0, ANY_NUMBER], act: set },
  Toggle: { takes: [0, ANY_NUMBER], act: toggle },
};
