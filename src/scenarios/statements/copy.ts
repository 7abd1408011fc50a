import { copyList, copyValue } from './copy-constant.js';
import { copyFieldName, copyScreen } from './copy-from-screen.js';
import { copyInput, copyInputFile } from './copy-input.js';
import { copyOutputFile } from './copy-output-file.js';
import { copyFromSystem, copyToSystem } from './copy-system.js';
import { copyInputToScreen, copyValueToScreen, copyVariableToScreen } from './copy-to-screen.js';
import { copyVariable } from './copy-variable.js';
import { type FormAssembler, formStatement } from './form-statement.js';

const forms: Readonly<Record<string, FormAssembler>> = {
  'FIELD-NAME-TO-VARIABLE': copyFieldName,
  'INPUT-FILE-TO-VARIABLE': copyInputFile,
  'INPUT-TO-SCREEN': copyInputToScreen,
  'INPUT-TO-VARIABLE': copyInput,
  'LIST-TO-VARIABLE': copyList,
  'OUTPUT-FILE-TO-VARIABLE': copyOutputFile,
  'SCREEN-TO-VARIABLE': copyScreen,
  'SYSTEM-TO-VARIABLE': copyFromSystem,
  'VALUE-TO-SCREEN': copyValueToScreen,
  'VALUE-TO-VARIABLE': copyValue,
  'VARIABLE-TO-SCREEN': copyVariableToScreen,
  'VARIABLE-TO-SYSTEM': copyToSystem,
  'VARIABLE-TO-VARIABLE': copyVariable,
};

const rejectedOperands = {
  'VARIABLE-TO-FILE':
    'is not supported: a scenario cannot write files on the server; SEND$ AS-FILE sends a file to the client',
};

/** COPY$ to a variable appends a value; TYPE=REPLACE replaces all. */
export const copyStatement = formStatement(forms, rejectedOperands);
