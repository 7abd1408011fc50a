import { type Assembly, faultyStep } from '../assembly.js';
import { type OperandReader, textSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type Instruction, type ScenarioRun } from '../scenario-run.js';
import { goesToHost, hostKeyNamed, type ScreenActEnd, type ScreenStroke, strokesOf } from '../scenario-screen.js';
import { type AreaSource, readArea } from '../screen-area.js';
import type { Operand } from '../syntax.js';

/** A day, in hundredths of a second. */
const LONGEST_MAXTIME = 8_640_000;
/** With LASTMSG=YES, an application has sent its last message after this time without output. */
const LAST_MESSAGE_QUIET_MILLISECONDS = 300;

type StrokesSource = (run: ScenarioRun) => readonly ScreenStroke[];

type Afterwards =
  | { readonly kind: 'process' | 'wait'; readonly text: ((run: ScenarioRun) => string | undefined) | undefined }
  | { readonly kind: 'script'; readonly text: (run: ScenarioRun) => string | undefined }
  | { readonly kind: 'leave' };

/**
 * ACTION$ TO-APPLICATION[,KEY=key][,SEND='strokes'[,SCREEN=(row,column)]][,AND=…][,MAXTIME=n][,LASTMSG=YES]: sends the
 * screen with its new input to the host. The run continues when the host has responded and unlocked the keyboard.
 * MAXTIME counts hundredths of a second; after that time the run continues with the APPLICATION-TIMEOUT condition.
 */
export function actToApplication(operands: OperandReader, assembly: Assembly): Instruction {
  assembly.usesScreen();
  const strokes = readStrokesOf(operands);
  const place = operands.optional('SCREEN');
  const at = place && readArea(assembly, place, { length: 'optional' });
  const afterwards = readAnd(operands);
  const maxTime = operands.optionalInteger('MAXTIME', 1, LONGEST_MAXTIME);
  const waitsForLast = operands.optionalChoice('LASTMSG', ['YES', 'NO']) === 'YES';
  const asynchronous = operands.optional('ASYNCH');
  if (asynchronous !== undefined && !(asynchronous.kind === 'word' && asynchronous.word === 'NO')) {
    operands.report(
      asynchronous,
      'ASYNCH=YES is not supported by this version: a scenario waits for the answer to its key; leave it out, and use MAXTIME=1 and IF$ APPLICATION-TIMEOUT to continue without an answer',
    );
  }
  if (strokes === undefined || afterwards === undefined) return faultyStep;
  return (run) => act(run, { strokes, at, afterwards, maxTime, waitsForLast });
}

interface Action {
  readonly strokes: StrokesSource;
  readonly at: AreaSource | undefined;
  readonly afterwards: Afterwards;
  readonly maxTime: number | undefined;
  readonly waitsForLast: boolean;
}

async function act(run: ScenarioRun, { strokes, at, afterwards, maxTime, waitsForLast }: Action): Promise<number> {
  const { screen } = run;
  const typed = strokes(run);
  const last = typed.at(-1);
  const isSent = last !== undefined && goesToHost(last);
  const text = afterwards.kind === 'wait' || afterwards.kind === 'process' ? afterwards.text?.(run) : undefined;
  const wait = {
    text,
    milliseconds: maxTime === undefined ? undefined : maxTime * 10,
    quietMilliseconds: waitsForLast ? LAST_MESSAGE_QUIET_MILLISECONDS : 0,
    signal: run.signal,
  };
  run.applicationTimeout = false;
  run.effects.skipsOutput = false;
  if (isSent) screen.noteLook();
  const end = await screen.act(typed, at?.(run, screen).position, isSent ? wait : undefined);
  if (run.signal.aborted) throw new ScenarioAbendError('the run was stopped');
  run.applicationTimeout = goesOn(end) === 'timedOut';
  if (afterwards.kind === 'script' && !run.applicationTimeout) {
    const played = await screen.playScript(afterwards.text(run) ?? '', run.signal);
    if (played.kind === 'wrong') throw new ScenarioAbendError(`AND=(SCRIPT,…): ${played.reason}`);
    goesOn(played);
  }
  if (afterwards.kind !== 'leave') return flow.next;
  run.effects.skipsOutput = true;
  return flow.succeeded;
}

function goesOn(end: ScreenActEnd): 'done' | 'timedOut' {
  switch (end.kind) {
    case 'refused':
      throw new ScenarioAbendError(`the keyboard rejects it: ${end.reason}`);
    case 'faulty':
      throw new ScenarioAbendError('the host sent a record that is malformed or not supported', 'SVC_ERR_HOST_FAULTY');
    case 'gone':
      throw new ScenarioAbendError('the host ended the session', 'SVC_ERR_HOST_REFUSED');
    default:
      return end.kind;
  }
}

function readStrokesOf(operands: OperandReader): StrokesSource | undefined {
  const send = operands.optional('SEND');
  const sent = send && readSend(operands, send);
  const key = operands.optional('KEY');
  const pressed = key && readKey(operands, key);
  if (send === undefined && key === undefined) return operands.report(operands.place, 'KEY= or SEND= is missing');
  if ((send !== undefined && sent === undefined) || (key !== undefined && pressed === undefined)) return undefined;
  return (run) => {
    const typed = sent?.(run) ?? [];
    const last = typed.at(-1);
    const name = pressed?.(run);
    if (name === undefined) return typed;
    if (last !== undefined && goesToHost(last))
      throw new ScenarioAbendError('SEND= ends with a key, so KEY= is not allowed');
    return [...typed, { key: name }];
  };
}

function readSend(operands: OperandReader, operand: Operand): StrokesSource | undefined {
  if (operand.kind !== 'string')
    return operands.report(operand, "SEND= must be a text in quotes, such as '[tab]s[pf18]'");
  const source = textSource(operand.text);
  if (source.constant === undefined) {
    return (run) => {
      const strokes = strokesOf(source.text(run) ?? '');
      if (strokes.kind === 'fault') throw new ScenarioAbendError('SEND=: the variable holds no strokes');
      return strokes.value;
    };
  }
  const strokes = strokesOf(source.constant);
  if (strokes.kind === 'read') return () => strokes.value;
  return operands.report(operand, `SEND=: ${strokes.fault}`);
}

function readKey(operands: OperandReader, operand: Operand): ((run: ScenarioRun) => string) | undefined {
  const source = operand.kind === 'string' || operand.kind === 'word' ? textSource(operand.text) : undefined;
  if (source !== undefined && source.constant === undefined) {
    return (run) => {
      const key = hostKeyNamed(source.text(run) ?? '');
      if (key === undefined) throw new ScenarioAbendError('KEY=: the variable names no key');
      return key;
    };
  }
  const key = hostKeyNamed(source?.constant ?? '');
  if (key !== undefined) return () => key;
  return operands.report(
    operand,
    'KEY= must be an attention identifier such as 7D, or a key such as ENTER, PF3, PA1, CLEAR',
  );
}

const answers: Readonly<Record<string, 'process' | 'wait' | 'script' | 'leave'>> = {
  WAIT: 'wait',
  SCRIPT: 'script',
  'PROCESS-RESPONSE': 'process',
  'DO-NOT-PROCESS-RESPONSE': 'leave',
};

function readAnd(operands: OperandReader): Afterwards | undefined {
  const operand = operands.optional('AND');
  if (operand === undefined) return { kind: 'process', text: undefined };
  const [form, text] = operand.kind === 'list' ? operand.items : [operand];
  const kind = form?.kind === 'word' && Object.hasOwn(answers, form.word) ? answers[form.word] : undefined;
  const source = text?.kind === 'string' ? textSource(text.text).text : undefined;
  operands.warnOfRest(operand, kind === 'leave' ? 1 : 2);
  if (kind === 'leave') return { kind };
  if (kind === 'process' && text === undefined) return { kind, text: undefined };
  if (source !== undefined && (kind === 'process' || kind === 'wait' || kind === 'script'))
    return { kind, text: source };
  return operands.report(
    operand,
    "AND= must be (WAIT,'text'), (SCRIPT,'orders'), (PROCESS-RESPONSE[,'text']) or (DO-NOT-PROCESS-RESPONSE)",
  );
}
