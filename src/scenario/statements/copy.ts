import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import type { Step } from '../step.js';
import { copyList, copyValue } from './copy-constant.js';
import { copyInput, copyInputFile } from './copy-input.js';
import { copyOutputFile } from './copy-output-file.js';
import { copyFromSystem, copyToSystem } from './copy-system.js';
import { copyVariable } from './copy-variable.js';
import { needsHostSession, refuseForm } from './refused-form.js';

const forms: Readonly<Record<string, (operands: OperandReader, assembly: Assembly) => Step>> = {
  'INPUT-FILE-TO-VARIABLE': copyInputFile,
  'INPUT-TO-VARIABLE': copyInput,
  'LIST-TO-VARIABLE': copyList,
  'OUTPUT-FILE-TO-VARIABLE': copyOutputFile,
  'SYSTEM-TO-VARIABLE': copyFromSystem,
  'VALUE-TO-VARIABLE': copyValue,
  'VARIABLE-TO-SYSTEM': copyToSystem,
  'VARIABLE-TO-VARIABLE': copyVariable,
};

const refused = {
  'FIELD-NAME-TO-VARIABLE': needsHostSession,
  'INPUT-TO-SCREEN': needsHostSession,
  'SCREEN-TO-VARIABLE': needsHostSession,
  'VALUE-TO-SCREEN': needsHostSession,
  'VARIABLE-TO-SCREEN': needsHostSession,
  'VARIABLE-TO-FILE': 'is not done: a scenario does not write files',
};

/** COPY$: every form that needs no screen. Copying to a variable appends a value, unless TYPE=REPLACE is given. */
export const copyStatement: StatementDefinition = {
  name: 'COPY$',
  assemble(assembly) {
    const operands = new OperandReader(assembly);
    for (const [form, assemble] of Object.entries(forms)) {
      if (!operands.takeWord(form)) continue;
      const step = assemble(operands, assembly);
      operands.done();
      return step;
    }
    refuseForm(operands, Object.keys(forms), refused);
    return faultyStep;
  },
};
