import { type ActionData, type ActionFamily, ANY_NUMBER, type ScriptCaller } from '../action.js';
import { ActionError } from '../action-error.js';
import { beginScreenTrace, screenForms } from '../screen-trace.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

export function ownTraceFile({ options }: ScriptedTerminal, tools: ScriptTools<ScriptedTerminal>): string {
  return options.toggles.get('traceFile') || tools.temporaryFile('x3trc');
}

function trace(terminal: ScriptedTerminal, parameters: readonly string[], { tools }: ScriptCaller): ActionData {
  // older scripts name the traced data first
  const [how, file, ...more] = /^(data|keyboard)$/i.test(parameters[0] ?? '') ? parameters.slice(1) : parameters;
  if (how === undefined) {
    if (parameters.length > 0) throw new ActionError('Trace(): Parameter must be on or off');
    const now = terminal.traceFile;
    return now === undefined ? ['Tracing is disabled.'] : [`Trace file is ${now}.`];
  }
  switch (how.toLowerCase()) {
    case 'on': {
      if (more.length > 0) throw new ActionError("Trace(): Too many arguments for 'on'");
      const now = terminal.traceFile;
      if (now !== undefined && file !== undefined) {
        throw new ActionError('Trace(): Cannot specify filename when tracing is already on');
      }
      if (now === undefined) terminal.trace(file ?? ownTraceFile(terminal, tools), tools);
      return undefined;
    }
    case 'off': {
      if (file !== undefined) throw new ActionError("Trace(): Too many arguments for 'off'");
      const before = terminal.traceFile;
      terminal.trace(undefined, tools);
      return before === undefined ? undefined : ['Tracing stopped.'];
    }
    default:
      throw new ActionError('Trace(): Parameter must be on or off');
  }
}

function screenTrace(terminal: ScriptedTerminal, parameters: readonly string[], { tools }: ScriptCaller): ActionData {
  const [first, ...rest] = parameters;
  const isFile = first !== undefined && !/^(on|off)$/i.test(first);
  const [how, ...named] = isFile ? ['on', ...parameters] : [first, ...rest];
  const form = screenForms.find((one) => one === named[0]?.toLowerCase());
  const [file, ...more] = form === undefined ? named : named.slice(1);
  const now = terminal.screenTrace?.file;
  if (more.length > 0) throw new ActionError('ScreenTrace(): Syntax error');
  if (how === undefined) {
    return [now === undefined ? 'Screen tracing is disabled.' : `Screen tracing is enabled, file: ${now}.`];
  }
  switch (how.toLowerCase()) {
    case 'on': {
      if (now !== undefined) throw new ActionError('ScreenTrace(): Screen tracing is already enabled.');
      const begun = beginScreenTrace(tools, { form, file });
      terminal.traceScreens(begun);
      return [`Screen tracing is enabled, file: ${begun.file}.`];
    }
    case 'off': {
      if (named.length > 0) throw new ActionError('ScreenTrace(): Keyword conflict (off, (name))');
      if (now === undefined) throw new ActionError('Screen tracing is already disabled.');
      terminal.traceScreens(undefined);
      return [`Screen tracing complete. Trace file is ${now}.`];
    }
    default:
      throw new ActionError('ScreenTrace(): Syntax error');
  }
}

export const tracingActions: ActionFamily = {
  ScreenTrace: { takes: [0, ANY_NUMBER], act: screenTrace },
  Trace: { takes: [0, ANY_NUMBER], act: trace },
};
