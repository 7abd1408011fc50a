import { type ActionData, type ActionFamily, type ActionsOutcome, ANY_NUMBER, type ScriptCaller } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ProgramEnd } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

const source: ActionFamily[string] = {
  takes: [1, 1],
  act: async (_, [file = ''], caller): Promise<ActionData> => {
    const lines: ActionsOutcome['lines'][number][] = [];
    for (const line of await caller.tools.readLines(file)) {
      const outcome = await caller.carryOut(line);
      lines.push(...outcome.lines);
      if (!outcome.succeeded) return { lines, succeeded: false };
    }
    return { lines, succeeded: true };
  },
};

async function script(
  terminal: ScriptedTerminal,
  parameters: readonly string[],
  { tools }: ScriptCaller,
): Promise<ActionData> {
  const flags = parameters.findIndex(
    (parameter) => !/^-(async|noshell|single|nolock|nostdoutredirect)$/i.test(parameter),
  );
  const words = flags < 0 ? [] : parameters.slice(flags);
  if (words.length === 0) throw new ActionError('Script() requires at least one argument');
  const end = tools.runProgram(terminal, words);
  if (!parameters.slice(0, flags).some((flag) => flag.toLowerCase() === '-async')) return outcomeOf(await end);
  end.then(
    ({ lines, failure }) => {
      if (terminal.isOver) return;
      const told = [...(lines.length > 0 ? [...lines, ''] : []), ...(failure === undefined ? [] : [failure])];
      tools.tell(told.map((line) => `${line}\n`).join(''));
    },
    () => undefined,
  );
}

function outcomeOf({ lines, failure }: ProgramEnd): ActionsOutcome {
  const answers = lines.map((text) => ({ text, isError: false }));
  if (failure === undefined) return { lines: answers, succeeded: true };
  return { lines: [...answers, { text: failure, isError: true }], succeeded: false };
}

export const scriptingActions: ActionFamily = {
  Abort: { takes: [0, 0], act: () => ['Canceled'] },
  Capabilities: {
    takes: [0, ANY_NUMBER],
    act: (_, parameters) => {
      // capabilities belong to interactive programs
      if (parameters.length > 0) throw new ActionError('Capabilities(): cannot set on this task type');
    },
  },
  CloseScript: {
    takes: [0, 1],
    act: (_, __, caller) => caller.close(),
  },
  // if a cookie is required, the script has sent it already
  Cookie: { takes: [1, 1], act: () => undefined },
  Echo: { takes: [0, ANY_NUMBER], act: (_, parameters) => [parameters.join(' ')] },
  Execute: {
    takes: [1, 1],
    act: async (terminal, [command = ''], { tools }) => outcomeOf(await tools.runProgram(terminal, command)),
  },
  Fail: {
    takes: [0, ANY_NUMBER],
    act: (_, parameters) => {
      throw new ActionError(parameters.length === 0 ? 'Fail' : parameters.join(' '));
    },
  },
  Macro: {
    takes: [1, 1],
    act: (_, [name = '']) => {
      throw new ActionError(`Macro(): No such macro: '${name}'`);
    },
  },
  Prompt: {
    takes: [0, 3],
    act: () => {
      throw new ActionError('Prompt(): console program:\nNone found');
    },
  },
  RequestInput: {
    takes: [0, 1],
    act: (_, [keyword]) => {
      const isKnown = keyword === undefined || keyword.toLowerCase() === '-noecho';
      if (!isKnown) throw new ActionError(`RequestInput(): unknown keyword '${keyword}'`);
      throw new ActionError('RequestInput: not an interactive session');
    },
  },
  ResumeInput: {
    takes: [1, 1],
    act: () => {
      throw new ActionError('ResumeInput: No pending input request');
    },
  },
  Script: { takes: [0, ANY_NUMBER], act: script },
  Source: source,
};
