import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { flow, type LoopDefinition, type ScenarioRun } from '../scenario-run.js';
import { type AreaSource, readArea, rowsOfArea, textsOfArea } from '../screen-area.js';
import { refuseForm } from './form-statement.js';

/**
 * label FOREACH$ VALUE-IN-VARIABLE,'v' … label ENDFOR$: runs the body once for each value that the variable has at the
 * start of the loop. Inside, the variable has only the current value.
 * label FOREACH$ VALUE-IN-SCREEN,(row,column,length,height): runs the body once for each row of an area. Inside,
 * CURRENT-FOREACH-VARIABLE-OF is the text of the row at the start of the loop, and CURRENT-SCREEN-POSITION is its
 * position.
 */
export const foreachStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const overScreen = operands.takeWord('VALUE-IN-SCREEN');
  if (!overScreen && !operands.takeWord('VALUE-IN-VARIABLE')) {
    refuseForm(operands, ['VALUE-IN-VARIABLE', 'VALUE-IN-SCREEN']);
  }
  const area = overScreen ? readScreen(assembly, operands) : undefined;
  const named = overScreen
    ? undefined
    : (operands.optionalText('VAR') ?? operands.nextText('the variable to loop over')?.text);
  operands.done();
  const { label, line, column } = assembly.instruction;
  // the empty name matches no variable: the current value of a loop over the screen is read by the loop's label
  const loop: LoopDefinition = {
    label,
    variable: named ?? '',
    place: { line, column },
    start: assembly.index,
    end: -1,
  };
  assembly.openLoop(loop);
  return (run) => (enter(run, loop, area) ? flow.next : loop.end + 1);
};

function readScreen(assembly: Assembly, operands: OperandReader): AreaSource | undefined {
  assembly.usesScreen();
  const place = operands.optional('SCREEN') ?? operands.next();
  if (place !== undefined) return readArea(assembly, place, { length: 'required', takesHeight: true });
  return assembly.report(operands.place, '(row,column,length,height) is missing');
}

function enter(run: ScenarioRun, loop: LoopDefinition, source: AreaSource | undefined): boolean {
  if (source === undefined) return run.enterLoop(loop);
  const { screen } = run;
  const area = source(run, screen);
  return run.enterLoop(loop, textsOfArea(screen, area), rowsOfArea(screen, area));
}

export const endforStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const { label, line } = assembly.instruction;
  const word = label === undefined ? operands.nextWord() : undefined;
  const place = label === undefined ? (word ?? operands.place) : { line, column: 1 };
  const loop = assembly.closeLoop(label ?? word?.word, place);
  operands.done();
  if (loop === undefined) return faultyStep;
  loop.end = assembly.index;
  return (run) => (run.advanceLoop(loop) ? loop.start + 1 : flow.next);
};
