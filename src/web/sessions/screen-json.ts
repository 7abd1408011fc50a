import { prefixCodeOf } from '../../lib/network/node-code.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { sessionNotice } from '../../sessions/session-notice.js';

export function screenJson(session: BrowserSession, page: string): object {
  const { crypto } = session;
  return {
    action: `/${prefixCodeOf(session.options.node)}${encodeURIComponent(page)}++SvcSession=${session.code}`,
    requestNumber: session.numbering.next,
    ...screenFacts(session),
    ...(crypto === undefined
      ? {}
      : {
          encryption: {
            parameters: crypto.parameters,
            exponent: crypto.publicKey('EXPONENT'),
            modulus: crypto.publicKey('MODULUS'),
          },
        }),
  };
}

/** Values of non-displayable fields are omitted. */
export function screenFacts(session: BrowserSession): object {
  const { screen, facts } = session;
  const { operator } = screen.state;
  const notice = sessionNotice(session);
  const form = session.formScreen();
  const { cells, columns, cursor } = form;
  const text = (start: number, length: number) => {
    let found = '';
    for (let offset = 0; offset < length; offset++) found += cells[(start + offset) % cells.length] ?? '';
    return found.trimEnd();
  };
  return {
    transaction: facts.transaction,
    revision: form.revision,
    rows: form.rows,
    columns,
    cursor: { row: Math.floor(cursor / columns) + 1, column: (cursor % columns) + 1, position: cursor },
    locked: operator.keyboardLocked,
    waitingForHost: operator.waitingForHost,
    ...(operator.operatorError === undefined ? {} : { operatorError: operator.operatorError }),
    ...(operator.programCheck === undefined ? {} : { programCheck: operator.programCheck }),
    ...(notice === '' ? {} : { notice }),
    text: Array.from({ length: form.rows }, (_, row) => text(row * columns, columns)),
    fields: form.fields.map((field) => ({
      id: form.idOf(field.start, !field.isProtected),
      row: Math.floor(field.start / columns) + 1,
      column: (field.start % columns) + 1,
      length: field.length,
      protected: field.isProtected,
      numeric: field.isNumeric,
      nonDisplayable: field.isNonDisplayable,
      intensified: field.isIntensified,
      modified: field.isModified,
      colour: field.colour,
      highlighting: field.highlighting,
      ...(field.isNonDisplayable ? {} : { value: text(field.start, field.length) }),
    })),
  };
}
