import type { Macro } from '../../../src/macro/macro-set.js';
import type { Terminal } from '../terminal.js';
import { CentralMacroStore } from './central-macro-store.js';
import { LocalMacroStore } from './local-macro-store.js';
import type { MacroDesk } from './macro-desk.js';
import { allMacros, type MacroStore } from './macro-store.js';
import { macroOfHotKey } from './model/hot-keys.js';
import { MacroPlayer, type PlayStop } from './model/macro-player.js';
import { MacroRecorder } from './model/macro-recorder.js';
import { refreshPolicyOf } from './model/refresh-policy.js';
import { screenIdentity } from './model/screen-identity.js';
import { VisitRecorder } from './model/visit-recorder.js';
import type { RecordingBar } from './recording-bar.js';

/** Beside this script: the build makes it of macro-desk.ts. */
const DESK_SCRIPT = './macros.js';

/** The buttons of the page. */
interface MacroButtons {
  readonly record: HTMLButtonElement;
  readonly list: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
}

/** Recording, playing and the list of macros, as the page has them. */
export class MacroControls {
  readonly #terminal: Terminal;
  readonly #buttons: MacroButtons;
  readonly #store: MacroStore;
  /** Kept: who types on must find its dialogs at once. */
  #desk: MacroDesk | undefined;
  #recorder: MacroRecorder | undefined;
  #player: MacroPlayer | undefined;
  #bar: RecordingBar | undefined;
  #isListOpen = false;

  constructor(terminal: Terminal, buttons: MacroButtons) {
    this.#terminal = terminal;
    this.#buttons = buttons;
    this.#store = storeOfPage();
    const { record, list, stop } = buttons;
    const words = this.#store.isCentralized ? 'Macros (centralized)' : 'Macros (this browser)';
    list.ariaLabel = words;
    list.title = `${words}: Alt+M`;
    list.classList.add(this.#store.isCentralized ? 'centralized' : 'local');
    record.hidden = false;
    list.hidden = false;
    record.addEventListener('click', () => void this.#toggleRecording());
    list.addEventListener('click', () => void this.#openList());
    stop.addEventListener('click', () => this.#player?.stop('it was stopped'));
    document.addEventListener('keydown', (event) => this.#keyDown(event), { capture: true });
  }

  /** Before the screen: hot keys, the list, and what stops a macro. */
  #keyDown(event: KeyboardEvent): void {
    if (document.querySelector('dialog[open]') !== null || event.isComposing || event.getModifierState('AltGraph'))
      return;
    const { altKey, ctrlKey, metaKey, shiftKey, key } = event;
    const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey;
    if (this.#player !== undefined && isPlain && key === 'Escape') {
      event.preventDefault();
      this.#player.stop('it was stopped');
      return;
    }
    if (altKey && !ctrlKey && !metaKey && !shiftKey && key.toLowerCase() === 'm') {
      event.preventDefault();
      void this.#openList();
      return;
    }
    // the bar of the recording has these
    if (this.#recorder !== undefined && altKey && /^[px]$/i.test(key)) return;
    const macro = macroOfHotKey(event, allMacros(this.#store));
    if (macro === undefined) return;
    event.preventDefault();
    void this.#play(macro);
  }

  async #openList(): Promise<void> {
    if (this.#player !== undefined || this.#isListOpen) return;
    this.#isListOpen = true;
    const desk = this.#desk ?? (await this.#loadDesk());
    const hasBegun = await desk?.showList(this.#store, {
      isRecording: () => this.#recorder !== undefined,
      record: () => void this.#toggleRecording(),
      run: (macro) => void this.#play(macro),
    });
    this.#isListOpen = false;
    if (hasBegun !== true) this.#terminal.focus();
  }

  #record(): void {
    const terminal = this.#terminal;
    const { played } = terminal;
    const labelOf = (field: number) => terminal.labelOf(field);
    const identity = (typed: readonly string[]) =>
      screenIdentity(played.picture, wordsOf([...typed, document.body.dataset.user ?? '']));
    const recorder = new MacroRecorder(labelOf, identity);
    const visits = new VisitRecorder((key) => ({
      columns: played.columns,
      cursor: played.cursor,
      fields: played.inputFields(key, labelOf),
      identity: identity(recorder.typed),
    }));
    this.#recorder = recorder;
    terminal.activity = 'Recording a macro';
    terminal.recording = {
      performed: (action) => {
        visits.performed(action);
        recorder.performed(action);
      },
      sent: (key) => {
        visits.sent(key);
        recorder.sent(key);
      },
    };
    void this.#openBar(recorder, visits);
  }

  async #openBar(recorder: MacroRecorder, visits: VisitRecorder): Promise<void> {
    const terminal = this.#terminal;
    const desk = this.#desk ?? (await this.#loadDesk());
    if (desk === undefined || this.#recorder !== recorder) return;
    const { user = '', encryption = '' } = document.body.dataset;
    this.#bar?.close();
    this.#bar = desk.openRecordingBar({
      session: terminal.code,
      user,
      isEncrypted: encryption !== '',
      visits,
      terminal: () => {
        const { rows, columns, cursor, picture } = terminal.played;
        const fields = terminal.played.inputFields('ENTER', (field) => terminal.labelOf(field));
        return { element: terminal.element, rows, columns, cursor, cells: picture.cells, fields };
      },
      say: (words) => terminal.say(words),
      focus: () => terminal.focus(),
      end: () => this.#endRecording(),
    });
  }

  #endRecording(): void {
    this.#recorder = undefined;
    this.#terminal.activity = '';
    this.#terminal.recording = undefined;
    this.#showState();
  }

  async #toggleRecording(): Promise<void> {
    const terminal = this.#terminal;
    const recorder = this.#recorder;
    if (this.#player !== undefined) return;
    if (recorder === undefined) {
      this.#record();
      terminal.say('');
      terminal.announce('Recording a macro');
      this.#showState();
      terminal.focus();
      return;
    }
    this.#endRecording();
    this.#bar?.close();
    if (!recorder.hasAttentionKey) {
      terminal.say('Nothing was stored: no key for the host, such as Enter, was pressed.');
    } else {
      const desk = this.#desk ?? (await this.#loadDesk());
      const isKept = desk !== undefined && (await desk.keepRecording(this.#store, recorder.steps));
      if (desk !== undefined) terminal.say(isKept ? 'The macro was saved.' : 'Nothing was stored.');
    }
    terminal.focus();
  }

  async #play(macro: Macro): Promise<void> {
    const terminal = this.#terminal;
    if (this.#player !== undefined) return;
    if (this.#recorder !== undefined) {
      terminal.say('A macro cannot be played while one is recorded.');
      terminal.focus();
      return;
    }
    const { name } = macro;
    const player = new MacroPlayer(terminal.played, {
      ask: async (question, field, over) => {
        const desk = this.#desk ?? (await this.#loadDesk());
        const answer = await desk?.askHiddenText(`Macro ${name}`, question, field, over);
        if (!over.aborted) terminal.focus();
        return answer;
      },
      progress: (step, steps) => {
        terminal.activity = `Playing ${name}, step ${step} of ${steps}`;
      },
    });
    this.#player = player;
    this.#showState();
    terminal.occupant = player;
    terminal.focus();
    terminal.announce(`Playing ${name}`);
    let other: PlayStop | undefined;
    try {
      const stop = await player.play(macro);
      terminal.activity = '';
      terminal.say(
        stop === undefined ? `${name} was played.` : `${name} stopped at step ${stop.step}: ${sentencesOf(stop)}`,
      );
      other = stop;
    } finally {
      this.#player = undefined;
      terminal.activity = '';
      terminal.occupant = undefined;
      this.#showState();
      // the page offers what can be done after the end of a session
      if (terminal.played.breach === undefined) terminal.focus();
    }
    if (other?.otherScreen === undefined) return;
    const desk = this.#desk ?? (await this.#loadDesk());
    await desk?.showOtherScreen(`${name} stopped at step ${other.step}`, other.otherScreen);
    terminal.focus();
  }

  /** Dialogs are a script of their own, which most who type never need. Undefined where it cannot be had: that was said. */
  async #loadDesk(): Promise<MacroDesk | undefined> {
    try {
      this.#desk = ((await import(DESK_SCRIPT)) as { readonly desk: MacroDesk }).desk;
      return this.#desk;
    } catch {
      this.#terminal.say('The script of the macros could not be loaded. Try again, or reload the page.');
      return undefined;
    }
  }

  #showState(): void {
    const { record, list, stop } = this.#buttons;
    const isPlaying = this.#player !== undefined;
    record.ariaPressed = String(this.#recorder !== undefined);
    // its place is taken by what stops the macro
    record.hidden = isPlaying;
    list.disabled = isPlaying;
    stop.hidden = !isPlaying;
  }
}

function sentencesOf({ reason, expected }: PlayStop): string {
  return expected === undefined ? `${reason}.` : `${reason}. Expected: ${expected}.`;
}

/** Long enough to be a name, in lower case. */
function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return new Set(words.filter((word) => word.length > 2));
}

function storeOfPage(): MacroStore {
  const { macros, macrosRefresh, user = '', group = '' } = document.body.dataset;
  if (macros !== 'centralized') return new LocalMacroStore();
  return new CentralMacroStore({ user, group, policy: refreshPolicyOf(macrosRefresh) });
}
