import { copyList, copyValue } from './copy-constant.js';
import { copyInput, copyInputFile } from './copy-input.js';
import { copyOutputFile } from './copy-output-file.js';
import { copyFromSystem, copyToSystem } from './copy-system.js';
import { copyVariable } from './copy-variable.js';
import { type FormAssembler, formStatement } from './form-statement.js';
import { needsHostSession } from './refused-form.js';

const forms: Readonly<Record<string, FormAssembler>> = {
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
export const copyStatement = formStatement('COPY$', forms, refused);
