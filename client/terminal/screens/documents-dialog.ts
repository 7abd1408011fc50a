import type { DocumentFacts, DocumentSource, SpoolFacts } from '../document-source.js';
import { button, make, openDialog } from '../macros/dialog.js';
import { userLocale } from '../words/locale.js';
import { words } from '../words/words.js';

/** Documents of the session's printer, newest first. Opening the list marks them as seen. */
export async function openDocuments(source: DocumentSource): Promise<void> {
  const told = make('p');
  told.setAttribute('role', 'status');
  const place = make('div');
  const again = button(words('documents.again'), () => void list(), { hidden: true });
  const show = (text: string, isAgain = false) => {
    told.textContent = text;
    told.hidden = text === '';
    again.hidden = !isAgain;
  };
  const list = async () => {
    const hadFocus = again === document.activeElement;
    show(words('documents.listing'));
    if (hadFocus) close.focus();
    try {
      const { documents, spool } = await source.list();
      show(documents.length === 0 ? words('documents.none') : spoolText(spool));
      if (documents.length > 0) place.replaceChildren(table(documents, source));
    } catch {
      show(words('documents.unknown'), true);
    }
  };
  let close = again;
  const options = { title: words('documents.title'), className: 'documents', focus: () => close };
  const closed = openDialog<undefined>(options, (_, leave) => {
    close = button(words('documents.close'), leave);
    return [told, place, make('div', { className: 'answers' }, again, close)];
  });
  await list();
  await closed;
}

function spoolText({ percent, isNearlyFull }: SpoolFacts): string {
  if (!isNearlyFull) return '';
  return percent < 100 ? words('documents.nearlyFull', { percent }) : words('documents.full');
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
