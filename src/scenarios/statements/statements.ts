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
import { mapStatement } from './map.js';
import { optionStatement } from './option.js';
import { performStatement, returnStatement } from './perform.js';
import { popStatement } from './pop.js';
import { sendStatement } from './send.js';
import { setStatement } from './set.js';

export const statements: ReadonlyMap<string, StatementDefinition> = new Map(
  Object.entries({
    ACTION$: actionStatement,
    CASE$: caseStatement,
    CONVERT$: convertStatement,
    COPY$: copyStatement,
    DEBUG$: debugStatement,
    DECLARE$: declareStatement,
    ENDFOR$: endforStatement,
    ERROR$: errorStatement,
    FIELD$: fieldStatement,
    FILTER$: filterStatement,
    FOREACH$: foreachStatement,
    GOTO$: gotoStatement,
    HANDLE$: handleStatement,
    IF$: ifStatement,
    MAP$: mapStatement,
    OPTION$: optionStatement,
    PERFORM$: performStatement,
    POP$: popStatement,
    RETURN$: returnStatement,
    SEND$: sendStatement,
    SET$: setStatement,
    TOVAR$: mapStatement,
  }),
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
