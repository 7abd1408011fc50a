import type { Macro } from '../../../src/macros/macro-set.js';
import type { Action } from '../action-registry.js';
import { labelAt } from '../field-label.js';
import type { Terminal } from '../terminal.js';
import { loadScript } from '../words/language-of-page.js';
import { words } from '../words/words.js';
import { CentralMacroStore } from './central-macro-store.js';
import { LocalMacroStore } from './local-macro-store.js';
import { allMacros, type MacroStore } from './macro-store.js';
import type { MacroTools } from './macro-tools.js';
import { chordOfHotKey, type FindMappedKey, hasHotKey, hotKeyWords, macroOfHotKey } from './model/hot-keys.js';
import type { MacroPlayer } from './model/macro-player.js';
import { MacroRecorder } from './model/macro-recorder.js';
import type { PlayStop } from './model/macro-stop.js';
import { refreshPolicyOf } from './model/refresh-policy.js';
import { screenIdentity } from './model/screen-identity.js';
import { VisitRecorder } from './model/visit-recorder.js';
import type { RecordingBar } from './recording-bar.js';

/** Built from macro-tools.ts, beside this script. */
const TOOLS_SCRIPT = './macros.js';

interface MacroButtons {
  readonly record: HTMLButtonElement;
  readonly list: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
}

export class MacroControls {
  readonly #terminal: Terminal;
  readonly #buttons: MacroButtons;
  readonly #store: MacroStore;
  readonly #mapped: FindMappedKey;
  /** Kept once loaded, so that dialogs open before the user types on. */
  #tools: MacroTools | undefined;
  #recorder: MacroRecorder | undefined;
  #player: MacroPlayer | undefined;
  #bar: RecordingBar | undefined;
  #isListOpen = false;
  /** True also while the script for playing is loading. */
  #isPlaying = false;

  constructor(terminal: Terminal, buttons: MacroButtons, mapped: FindMappedKey) {
    this.#mapped = mapped;
    this.#terminal = terminal;
    this.#buttons = buttons;
    this.#store = storeOfPage();
    const { record, list, stop } = buttons;
    const title = words(this.#store.isCentralized ? 'macros.title.centralized' : 'macros.title.local');
    list.ariaLabel = title;
    list.title = words('macros.tip', { title });
    list.classList.add(this.#store.isCentralized ? 'centralized' : 'local');
    record.hidden = false;
    list.hidden = false;
    record.addEventListener('click', () => void this.#toggleRecording());
    list.addEventListener('click', () => void this.#openList());
    stop.addEventListener('click', () => this.#stop());
    document.addEventListener('keydown', (event) => this.#keyDown(event), { capture: true });
  }

  get commands(): readonly Action[] {
    const record = words(this.#recorder === undefined ? 'list.record' : 'list.endRecording');
    return [
      {
        id: 'macroRecord',
        label: record,
        run: () => void this.#toggleRecording(),
        isPossible: () => !this.#isPlaying,
      },
      {
        id: 'macroStop',
        label: words('ask.stop'),
        run: () => this.#stop(),
        isPossible: () => this.#player !== undefined,
      },
      ...allMacros(this.#store).flatMap((macro): readonly Action[] => [
        {
          id: `macro:${macro.name}`,
          label: words('commands.macro', { name: macro.name }),
          keys: hasHotKey(macro) ? [hotKeyWords(macro.mapping)] : [],
          run: () => void this.#play(macro),
        },
        {
          id: `macroStep:${macro.name}`,
          label: words('step.bar', { name: macro.name }),
          run: () => void this.#play(macro, true),
        },
      ]),
    ];
  }

  hotKeyOwner(chord: string): string | undefined {
    return allMacros(this.#store).find((macro) => hasHotKey(macro) && chordOfHotKey(macro.mapping) === chord)?.name;
  }

  /** Runs before the keyboard of the screen: hot keys, the list, and stopping a macro. */
  #keyDown(event: KeyboardEvent): void {
    if (document.querySelector('dialog[open]') !== null || event.isComposing || event.getModifierState('AltGraph'))
      return;
    const { altKey, ctrlKey, metaKey, shiftKey, key } = event;
    const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey;
    if (this.#player !== undefined && isPlain && key === 'Escape') {
      event.preventDefault();
      this.#stop();
      return;
    }
    // keys of the recording bar
    if (this.#recorder !== undefined && altKey && /^[px]$/i.test(key)) return;
    const macro = macroOfHotKey(event, allMacros(this.#store));
    if (macro?.mapping === undefined || this.#mapped(chordOfHotKey(macro.mapping))?.isOwn === true) return;
    event.preventDefault();
    void this.#play(macro);
  }

  #stop(): void {
    this.#player?.stop(words('play.stopped'));
  }

  async #openList(): Promise<void> {
    if (this.#isPlaying || this.#isListOpen) return;
    this.#isListOpen = true;
    const tools = this.#tools ?? (await this.#loadTools());
    const hasBegun = await tools?.showList(this.#store, {
      isRecording: () => this.#recorder !== undefined,
      record: () => void this.#toggleRecording(),
      run: (macro) => void this.#play(macro),
      step: (macro) => void this.#play(macro, true),
      mapped: this.#mapped,
    });
    this.#isListOpen = false;
    if (hasBegun !== true) this.#terminal.focus();
  }

  #record(): void {
    const terminal = this.#terminal;
    const { played } = terminal;
    const labelOf = (field: number) => labelAt(terminal.model, field);
    const identity = (typed: readonly string[]) =>
      screenIdentity(played.picture, namesIn([...typed, document.body.dataset.user ?? '']));
    const recorder = new MacroRecorder(labelOf, identity);
    const visits = new VisitRecorder((key) => ({
      columns: played.columns,
      cursor: played.cursor,
      fields: played.inputFields(key, labelOf),
      identity: identity(recorder.typed),
    }));
    this.#recorder = recorder;
    terminal.activity = words('recording.activity');
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
    const tools = this.#tools ?? (await this.#loadTools());
    if (tools === undefined || this.#recorder !== recorder) return;
    const { user = '', encryption = '' } = document.body.dataset;
    this.#bar?.close();
    this.#bar = tools.openRecordingBar({
      session: terminal.code,
      user,
      isEncrypted: encryption !== '',
      visits,
      terminal: () => {
        const { rows, columns, cursor, picture } = terminal.played;
        const fields = terminal.played.inputFields('ENTER', (field) => labelAt(terminal.model, field));
        return { element: terminal.element, rows, columns, cursor, cells: picture.cells, fields };
      },
      say: (text) => terminal.say(text),
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
    if (this.#isPlaying) return;
    if (recorder === undefined) {
      this.#record();
      // warns before anything is recorded that cannot be saved
      terminal.say(this.#store.isCentralized ? '' : this.#store.notice);
      terminal.announce(words('recording.activity'));
      this.#showState();
      terminal.focus();
      return;
    }
    this.#endRecording();
    this.#bar?.close();
    if (!recorder.hasAttentionKey) {
      terminal.say(words('recording.nothing'));
    } else {
      const tools = this.#tools ?? (await this.#loadTools());
      const isKept = tools !== undefined && (await tools.keepRecording(this.#store, recorder.steps, this.#mapped));
      if (tools !== undefined) terminal.say(words(isKept ? 'recording.saved' : 'recording.notStored'));
    }
    terminal.focus();
  }

  async #play(macro: Macro, isStepped = false): Promise<void> {
    const terminal = this.#terminal;
    if (this.#isPlaying) return;
    if (this.#recorder !== undefined) {
      terminal.say(words('play.whileRecording'));
      terminal.focus();
      return;
    }
    this.#isPlaying = true;
    this.#showState();
    const tools = this.#tools ?? (await this.#loadTools());
    let stop: PlayStop | undefined;
    try {
      stop = tools && (await this.#playWith(tools, macro, isStepped));
    } finally {
      this.#player = undefined;
      this.#isPlaying = false;
      terminal.activity = '';
      terminal.occupant = undefined;
      this.#showState();
      // after the end of a session the page offers other actions
      if (terminal.played.breach === undefined) terminal.focus();
    }
    if (stop?.otherScreen === undefined) return;
    await tools?.showOtherScreen(words('play.stoppedAt', { name: macro.name, step: stop.step }), stop.otherScreen);
    terminal.focus();
  }

  async #playWith(tools: MacroTools, macro: Macro, isStepped: boolean): Promise<PlayStop | undefined> {
    const terminal = this.#terminal;
    const { name } = macro;
    const bar = isStepped ? tools.openStepBar(name, terminal) : undefined;
    const player = tools.newPlayer(terminal.played, {
      ask: async (question, field, over) => {
        const answer = await tools.askText(words('macros.titleOf', { name }), question, field, over);
        if (!over.aborted) terminal.focus();
        return answer;
      },
      progress: (step, steps) => {
        terminal.activity = words('play.progress', { name, step, steps });
      },
      look: (question) => terminal.macroLink.look(question),
      next: bar?.next,
    });
    this.#player = player;
    terminal.occupant = player;
    terminal.focus();
    terminal.announce(words('play.begun', { name }));
    try {
      const other = terminal.played.breach === undefined ? await terminal.macroLink.begin(name) : undefined;
      if (other !== undefined) player.stop(words('play.otherPage', { name: other }));
      const stop = await player.play(macro);
      terminal.activity = '';
      terminal.say(stop === undefined ? words('play.done', { name }) : sentencesOf(name, stop));
      return stop;
    } finally {
      terminal.macroLink.end();
      bar?.close();
    }
  }

  /** Loads the dialogs, which most users never need. Undefined if loading failed and the user was informed. */
  async #loadTools(): Promise<MacroTools | undefined> {
    try {
      this.#tools = (await loadScript<{ readonly tools: MacroTools }>(TOOLS_SCRIPT)).tools;
      return this.#tools;
    } catch {
      this.#terminal.say(words('macros.noScript'));
      return undefined;
    }
  }

  #showState(): void {
    const { record, list, stop } = this.#buttons;
    const isPlaying = this.#isPlaying;
    record.ariaPressed = String(this.#recorder !== undefined);
    // the stop button takes its place
    record.hidden = isPlaying;
    list.disabled = isPlaying;
    stop.hidden = !isPlaying;
  }
}

function sentencesOf(name: string, { step, reason, expected }: PlayStop): string {
  const sentence = words('play.reason', { stopped: words('play.stoppedAt', { name, step }), reason });
  return expected === undefined ? sentence : words('play.expected', { reason: sentence, expected });
}

function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const names = texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return new Set(names.filter((name) => name.length > 2));
}

function storeOfPage(): MacroStore {
  const { macros, macrosRefresh, user = '', group = '' } = document.body.dataset;
  if (macros !== 'centralized') return new LocalMacroStore();
  return new CentralMacroStore({ user, group, policy: refreshPolicyOf(macrosRefresh) });
}
