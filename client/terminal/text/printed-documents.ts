import type { Action } from '../action-registry.js';
import { DocumentSource } from '../document-source.js';
import type { ScreenDialogs } from '../screens/screen-dialogs.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import { textAction } from './text-actions.js';

type WithTools = (act: (tools: ScreenDialogs) => void) => void;

/** Announces printed documents and opens them. The action exists only if the session has a printer. */
export function documentTools(terminal: Terminal, withTools: WithTools): Action {
  const documents = new DocumentSource(terminal.path);
  let hasPrinter = false;
  let shown: { close(): void } | undefined;
  const list = () => withTools((tools) => void tools.documents(documents));
  terminal.listen({
    printed: ({ i: number, n: count }) => {
      hasPrinter = true;
      if (number === 0) return;
      const text = words('documents.printed', { count });
      // only the newest is announced; the list has them all
      shown?.close();
      shown = terminal.notices.show(text, [
        { label: words('documents.open'), run: () => documents.open(number, 'pdf') },
        { label: words('documents.list'), run: list },
        { label: words('documents.later'), run: () => undefined },
      ]);
      terminal.announce(text);
    },
  });
  return textAction('documents', list, () => hasPrinter);
}
