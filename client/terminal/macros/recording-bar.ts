import { words } from '../words/words.js';
import { markArea } from './area-marking.js';
import { button, choose, make } from './dialog.js';
import { askExtract, askParameter, askServiceName } from './mark-dialogs.js';
import { serviceFiles } from './model/service-yaml.js';
import type { InputField, VisitRecorder } from './model/visit-recorder.js';
import { type ServiceInProgress, showService } from './service-dialog.js';
import { ServiceRequests } from './service-requests.js';

interface RecordedTerminal {
  readonly element: HTMLElement;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly cells: readonly string[];
  readonly fields: readonly InputField[];
}

interface RecordingBarPort {
  readonly session: string;
  readonly user: string;
  readonly isEncrypted: boolean;
  readonly visits: VisitRecorder;
  terminal(): RecordedTerminal;
  say(text: string): void;
  focus(): void;
  end(): void;
}

export interface RecordingBar {
  close(): void;
}

export function openRecordingBar(port: RecordingBarPort): RecordingBar {
  const state = make('span', { className: 'words' }, words('bar.state'));
  state.setAttribute('role', 'status');
  const actions = make('span', { className: 'tools' });
  const bar = make('section', { className: 'recording-bar', ariaLabel: words('bar.label') }, state, actions);
  let [parameters, extracts] = [0, 0];
  let service: ServiceInProgress | undefined;
  let isAsking = false;

  const keys = (event: KeyboardEvent) => {
    const isPlain = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || service !== undefined || document.querySelector('dialog[open]') !== null) return;
    const act = { p: markParameter, x: markExtract }[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    begin(act);
  };
  document.addEventListener('keydown', keys, { capture: true });
  const close = () => {
    document.removeEventListener('keydown', keys, { capture: true });
    bar.remove();
  };
  const begin = (act: () => Promise<void>) => {
    if (isAsking) return;
    isAsking = true;
    void act().finally(() => {
      isAsking = false;
      port.focus();
    });
  };
  const showMarks = () => {
    state.textContent = words('bar.marked', {
      parameters: words('bar.parameters', { count: parameters }),
      texts: words('bar.texts', { count: extracts }),
    });
  };

  async function markParameter(): Promise<void> {
    const { fields, cursor } = port.terminal();
    if (fields.length === 0) {
      port.say(words('bar.noField'));
      return;
    }
    const mark = await askParameter(fields, cursor);
    if (mark === undefined) return;
    port.visits.markParameter(mark.start, mark);
    parameters++;
    showMarks();
  }

  async function markExtract(): Promise<void> {
    // the starting click moves the focus to the screen first
    await new Promise((resolve) => setTimeout(resolve, 0));
    const screen = port.terminal();
    const area = await markArea(screen, (text) => {
      state.textContent = text;
    });
    if (area === undefined) {
      showMarks();
      return;
    }
    const { row, column, lastRow, lastColumn } = area;
    const textOf = (line: number, from: number, to: number) =>
      screen.cells.slice(line * screen.columns + from, line * screen.columns + to).join('');
    const lines = Array.from({ length: lastRow - row + 1 }, (_, at) => textOf(row + at, column, lastColumn + 1));
    const before = textOf(row, 0, column).replace(/[\s.:=>_-]+$/, '');
    const named = await askExtract(lines.join('\n'), before.split(/ {3,}/).at(-1) ?? '');
    if (named !== undefined) {
      const place = { row: row + 1, column: column + 1, lastRow: lastRow + 1, lastColumn: lastColumn + 1 };
      port.visits.markExtract({ ...named, ...place });
      extracts++;
    }
    showMarks();
  }

  async function saveAsService(): Promise<void> {
    const problem = port.visits.problem;
    if (problem !== undefined) {
      port.say(words('bar.noService', { problem }));
      return;
    }
    const name = await askServiceName();
    if (name === undefined) return;
    const files = serviceFiles(name, port.visits.visits);
    if ('problem' in files) {
      port.say(words('bar.noService', { problem: files.problem }));
      return;
    }
    port.end();
    service = { name, files };
    state.textContent = words('bar.notStoredYet', { name });
    actions.replaceChildren(
      button(words('bar.open'), () => begin(showIt)),
      button(words('save.throw'), () => begin(throwAway), { className: 'leave' }),
    );
    await showIt();
  }

  async function showIt(): Promise<void> {
    if (service === undefined) return;
    const { user, isEncrypted, session } = port;
    if (!(await showService(service, { user, isEncrypted, requests: new ServiceRequests(session) }))) return;
    close();
    port.say(words('bar.stored', { name: service.name }));
  }

  async function throwAway(): Promise<void> {
    const answers = [
      ['throw', words('save.throw')],
      ['stay', words('bar.keep')],
    ] as const;
    const answer = await choose(words('bar.throwTitle'), words('bar.throwText'), answers);
    if (answer === 'throw') close();
  }

  actions.append(
    button(words('bar.parameter'), () => begin(markParameter), { title: words('bar.parameterTip') }),
    button(words('bar.read'), () => begin(markExtract), { title: words('bar.readTip') }),
    button(words('bar.save'), () => begin(saveAsService)),
  );
  for (const [at, key] of ['Alt+P', 'Alt+X'].entries()) actions.children[at]?.setAttribute('aria-keyshortcuts', key);
  document.querySelector('main')?.prepend(bar);
  return {
    close: () => {
      if (service === undefined) close();
    },
  };
}
