import type { Assembly } from '../assembly.js';
import type { OperandReader } from '../operand-reader.js';
import { flow, type Instruction } from '../scenario-run.js';
import type { SessionEffects } from '../session-effects.js';
import type { ScenarioKind } from '../syntax.js';
import { actToApplication } from './action-to-application.js';
import { formStatement, onlyInKinds } from './form-statement.js';

const inSessions: readonly ScenarioKind[] = ['INITIAL', 'INPUT', 'OUTPUT'];

export const actionStatement = formStatement({
  DISCONNECT: () => effect((effects) => (effects.disconnects = 'now')),
  TERMSESS: (_operands, assembly) => {
    onlyInKinds(assembly, 'TERMSESS', inSessions);
    return effect((effects) => (effects.disconnects ??= 'afterMessage'));
  },
  'TO-APPLICATION': actToApplication,
  'TO-TERMINAL': sendToTerminal,
  'REFRESH-TERMINAL': (_operands, assembly) => {
    onlyInKinds(assembly, 'REFRESH-TERMINAL', inSessions);
    return effect((effects) => (effects.refreshesTerminal = true));
  },
  'SERVE-ANOTHER-USER': (_operands, assembly) => {
    assembly.usesScreen();
    onlyInKinds(assembly, 'SERVE-ANOTHER-USER', ['INITIAL']);
    return effect((effects) => (effects.servesAnotherUser = true));
  },
});

/** ACTION$ TO-TERMINAL: shows the current screen, discards the user's input and ends the run. */
function sendToTerminal(_operands: OperandReader, assembly: Assembly): Instruction {
  assembly.usesScreen();
  onlyInKinds(assembly, 'TO-TERMINAL', ['INPUT']);
  return (run) => {
    run.effects.toTerminal = true;
    return flow.ended;
  };
}

function effect(set: (effects: SessionEffects) => void): Instruction {
  return (run) => {
    set(run.effects);
    return flow.next;
  };
}
