import { type Assembly, faultyStep } from '../assembly.js';
import type { OperandReader, TextSource } from '../operand-reader.js';
import { flow, type Instruction } from '../scenario-run.js';
import type { ScenarioScreen } from '../scenario-screen.js';
import { type AreaSource, readArea, rowsOfArea } from '../screen-area.js';

/**
 * SET$ SCREEN-POSITION,(row,column[,length]): sets CURRENT-SCREEN-POSITION. FIND='text' searches for the first
 * occurrence of the text, in SCREEN=(row,column,length[,height]) or on the whole screen. If it is not found, NOT-FOUND
 * is set and the position stays unchanged.
 */
export function setScreenPosition(operands: OperandReader, assembly: Assembly): Instruction {
  assembly.usesScreen();
  const find = operands.optionalSource('FIND');
  if (find !== undefined) {
    const place = operands.optional('SCREEN');
    const within = place && readArea(assembly, place, { length: 'required', takesHeight: true });
    if (place !== undefined && within === undefined) return faultyStep;
    return findText(find, within);
  }
  const place = operands.next();
  if (place === undefined) {
    operands.report(operands.place, "(row,column[,length]) or FIND='text' is missing");
    return faultyStep;
  }
  const area = readArea(assembly, place, { length: 'optional' });
  if (area === undefined) return faultyStep;
  return (run) => {
    run.screenPosition = area(run, run.screen);
    run.notFound = false;
    return flow.next;
  };
}

function findText(wanted: TextSource, within: AreaSource | undefined): Instruction {
  return (run) => {
    const { screen } = run;
    const text = wanted.text(run) ?? '';
    const whole = { position: 0, length: screen.columns, height: screen.rows };
    const areas = rowsOfArea(screen, within?.(run, screen) ?? whole);
    run.notFound = true;
    if (text === '') return flow.next;
    for (const { position, length = 1 } of areas) {
      const at = foundAt(screen, position, length, text);
      if (at === undefined) continue;
      run.screenPosition = { position: at, length: text.length, height: undefined };
      run.notFound = false;
      return flow.next;
    }
    return flow.next;
  };
}

function foundAt(screen: ScenarioScreen, position: number, length: number, text: string): number | undefined {
  const index = screen.textAt(position, length).indexOf(text);
  if (index < 0) return undefined;
  // a double-byte character is one character of the text and takes two positions
  let at = index;
  while (screen.textAt(position, at).length < index) at++;
  return position + at;
}
