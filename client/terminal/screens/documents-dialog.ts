import type { DocumentFacts, DocumentSource } from '../document-source.js';
import { button, make, openDialog } from '../macros/dialog.js';
import { userLocale } from '../words/locale.js';
import { words } from '../words/words.js';

/** The documents of the session's printer, the newest first. */
export async function openDocuments(source: DocumentSource): Promise<void> {
  let found: readonly DocumentFacts[] | undefined;
  try {
    found = await source.list();
  } catch {
    found = undefined;
  }
  await openDialog<undefined>({ title: words('documents.title'), className: 'documents' }, (_, leave) => [
    found === undefined || found.length === 0
      ? make('p', {}, words(found === undefined ? 'documents.unknown' : 'documents.none'))
      : table(found, source),
    make('div', { className: 'answers' }, button(words('documents.close'), leave)),
  ]);
}

function table(documents: readonly DocumentFacts[], source: DocumentSource): HTMLElement {
  const headings = [words('documents.when'), words('documents.pages'), words('documents.files')];
  return make(
    'table',
    {},
    make('thead', {}, make('tr', {}, ...headings.map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...documents.map((document) => row(document, source))),
  );
}

function row({ number, name, printed, pages, isComplete, isNew }: DocumentFacts, source: DocumentSource): HTMLElement {
  const when = make('time', { dateTime: printed }, new Date(printed).toLocaleString(userLocale()));
  const marks = [isNew ? words('documents.new') : '', isComplete ? '' : words('documents.cut')].filter(Boolean);
  const link = (type: 'pdf' | 'txt', text: string) =>
    make(
      'a',
      { href: source.addressOf(number, type), target: '_blank', rel: 'noopener', ariaLabel: `${name}, ${text}` },
      text,
    );
  return make(
    'tr',
    {},
    make('td', {}, when, marks.length === 0 ? undefined : ` – ${marks.join(', ')}`),
    make('td', { className: 'number' }, String(pages)),
    make('td', {}, link('pdf', 'PDF'), ' ', link('txt', words('documents.text'))),
  );
}
