import type { StatementDefinition } from '../assembly.js';
import { actionStatement } from './action.js';
import { caseStatement } from './case.js';
import { convertStatement } from './convert.js';
import { copyStatement } from './copy.js';
import { debugStatement } from './debug.js';
import { declareStatement } from './declare.js';
import { errorStatement } from './error.js';
import { fieldStatement } from './field.js';
import { filterStatement } from './filter.js';
import { endforStatement, foreachStatement } from './foreach.js';
import { noFileTransfer, notInThisVersionBut } from './form-statement.js';
import { gotoStatement } from './goto.js';
import { handleStatement } from './handle.js';
import { ifStatement } from './if.js';
import { mapStatement, tovarStatement } from './map.js';
import { optionStatement } from './option.js';
import { performStatement, returnStatement } from './perform.js';
import { popStatement } from './pop.js';
import { sendStatement } from './send.js';
import { setStatement } from './set.js';

export const statements: ReadonlyMap<string, StatementDefinition> = new Map(
  [
    actionStatement,
    caseStatement,
    convertStatement,
    copyStatement,
    debugStatement,
    declareStatement,
    endforStatement,
    errorStatement,
    fieldStatement,
    filterStatement,
    foreachStatement,
    gotoStatement,
    handleStatement,
    ifStatement,
    mapStatement,
    optionStatement,
    performStatement,
    popStatement,
    returnStatement,
    sendStatement,
    setStatement,
    tovarStatement,
  ].map((statement) => [statement.name, statement]),
);

export const refusedStatements: ReadonlyMap<string, string> = new Map([
  ['INDSCEN$', noFileTransfer],
  ['CALENDR$', notInThisVersionBut('give the field of the page type="date"')],
  [
    'SUGGEST$',
    notInThisVersionBut('give the field of the page a datalist, with a VALUE-OF tag for each of its options'),
  ],
  ['SVCSV$', notInThisVersionBut('call the program as an HTTP service, with OPTION$ FOR-HTTP and SEND$ TO-LINE')],
]);
