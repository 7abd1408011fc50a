import type { StopSignal } from '../lib/stop-signal.js';
import { playConnectionScript, readConnectionScript } from './connection-script.js';
import { type ScriptGround, scriptPort } from './script-port.js';
import type { ScriptEnd } from './scripted-screen.js';

/** Plays a connection script in the middle of a scenario. */
export async function playScriptOfScenario(
  script: string,
  ground: ScriptGround,
  decodeHex: (codes: Uint8Array) => string,
  signal: StopSignal,
): Promise<ScriptEnd> {
  const steps = readConnectionScript(script, decodeHex);
  if (steps.kind === 'fault') return { kind: 'wrong', reason: steps.fault };
  for (const step of steps.value) {
    if (step.kind === 'repeated') return { kind: 'wrong', reason: '&( and &) are for scripts of transactions' };
    if (step.kind === 'order' && step.order === 'scenario')
      return { kind: 'wrong', reason: '&/S would run a scenario while one runs' };
  }
  try {
    await playConnectionScript(steps.value, scriptPort(ground, signal));
    return { kind: 'done' };
  } catch (fault) {
    if (signal.aborted || !ground.isOver()) throw fault;
    return { kind: 'gone' };
  }
}
