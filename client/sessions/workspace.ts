import { keepInTab, textInTab } from '../terminal/page-storage.js';
import type { SessionState } from '../terminal/session-state.js';
import { words } from '../terminal/words/words.js';
import { SessionFrame } from './session-frame.js';
import { endSession, type ListedSession, listSessions, nameSession, UnknownSessionError } from './session-list.js';
import { askEnd, askName, chooseApplication } from './workspace-dialogs.js';
import { workspaceKey } from './workspace-keys.js';
import { MOST_PANES, readSavedTabs, WorkspaceTabs } from './workspace-tabs.js';

/** Limit of the server. */
const LONGEST_NAME = 40;
const SAVED_KEY = 'sallyport-tabs';

interface WorkspaceElements {
  readonly tabs: HTMLElement;
  readonly area: HTMLElement;
  readonly status: HTMLElement;
}

interface Tab {
  readonly button: HTMLButtonElement;
  readonly frame: SessionFrame;
  /** Its session; undefined before the session starts and after it ends. */
  label: string | undefined;
  name: string;
  facts: string;
  state: SessionState;
  isClosing: boolean;
}

export class Workspace {
  readonly #elements: WorkspaceElements;
  readonly #model = new WorkspaceTabs();
  readonly #tabs = new Map<number, Tab>();
  readonly #paneButtons: readonly HTMLButtonElement[];
  #numbers = 0;
  #isBegun = false;
  #isBeginning = false;

  constructor(elements: WorkspaceElements) {
    this.#elements = elements;
    this.#paneButtons = Array.from({ length: MOST_PANES }, (_, at) => paneButton(at + 1));
    for (const [at, button] of this.#paneButtons.entries())
      button.addEventListener('click', () => this.#divide(at + 1));
    tool('panes')?.append(...this.#paneButtons);
    tool('new-session')?.addEventListener('click', () => void this.begin());
    tool('rename-session')?.addEventListener('click', () => void this.#rename(this.#model.active));
    tool('close-session')?.addEventListener('click', () => void this.#close(this.#model.active));
    document.addEventListener('keydown', (event) => this.#keyDown(event), true);
    elements.tabs.addEventListener('keydown', (event) => this.#tabKeyDown(event));
    addEventListener('beforeunload', (event) => {
      if ([...this.#tabs.values()].some(({ frame }) => frame.isToBeAsked)) event.preventDefault();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void this.#relist();
    });
  }

  /** Shows the open sessions on the first call; without any, and later, lets the user start a new session. */
  async begin(): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    try {
      const isFirst = !this.#isBegun;
      if (isFirst) await this.#showOpen();
      if (!isFirst || this.#tabs.size === 0) await this.#new();
    } catch (error) {
      this.#sayWhyNot(error);
    } finally {
      this.#isBeginning = false;
    }
  }

  async #showOpen(): Promise<void> {
    // without the list, this button lets the user retry
    tool('new-session')?.removeAttribute('hidden');
    const saved = readSavedTabs(textInTab(SAVED_KEY));
    const { sessions } = await listSessions();
    const known = saved.labels.flatMap((label) => sessions.find((session) => session.label === label) ?? []);
    const others = sessions.filter((session) => !known.includes(session));
    for (const session of [...known, ...others]) this.#add(session.path, session);
    this.#model.divide(saved.panes);
    const active = [...this.#tabs].find(([, { label }]) => label !== undefined && label === saved.active)?.[0];
    this.#model.activate(active ?? this.#model.all[0]);
    tool('panes')?.removeAttribute('hidden');
    this.#isBegun = true;
    this.#say('');
    this.#show();
  }

  #add(path: string, session: ListedSession | undefined, name = ''): void {
    if (this.#model.isFull) {
      this.#say(words('tabs.full'));
      return;
    }
    const tab = ++this.#numbers;
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `tab-${tab}`;
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', `pane-${tab}`);
    button.addEventListener('click', () => this.#activate(tab));
    button.addEventListener('dblclick', () => void this.#rename(tab));
    const frame = new SessionFrame(`pane-${tab}`, button.id, path, {
      loaded: (label) => this.#loaded(tab, label),
      left: () => this.#remove(tab),
      state: (state) => this.#stateChanged(tab, state),
      pressed: () => this.#read(),
      focused: () => {
        this.#model.activate(tab);
        this.#show();
      },
      keyDown: (event) => this.#keyDown(event),
    });
    this.#tabs.set(tab, { button, frame, label: session?.label, name, facts: '', state: 'alive', isClosing: false });
    if (session !== undefined) this.#take([session]);
    this.#model.add(tab);
    this.#elements.tabs.append(button);
    this.#elements.area.append(frame.panel);
  }

  #loaded(tab: number, label: string | undefined): void {
    const one = this.#tabs.get(tab);
    if (one === undefined) return;
    one.label = label;
    one.state = label === undefined ? 'ended' : 'alive';
    this.#save();
    void this.#relist();
    // a terminal takes the focus when it is ready; only the active one may keep it
    if (this.#model.active === tab) this.#focus();
    else if (document.activeElement === one.frame.panel.firstElementChild) this.#focus();
  }

  #stateChanged(tab: number, state: SessionState): void {
    const one = this.#tabs.get(tab);
    if (one === undefined || one.state === state) return;
    one.state = state;
    if (state !== 'alive' && tab !== this.#model.active) {
      // hidden: the tab shows it to sighted users
      this.#say(words(state === 'ending' ? 'tabs.ending' : 'tabs.ended', { name: one.name }), true);
    }
    this.#show();
  }

  #activate(tab: number | undefined): void {
    this.#read();
    this.#model.activate(tab);
    this.#show();
    this.#focus();
  }

  #divide(panes: number): void {
    this.#model.divide(panes);
    this.#show();
    this.#focus();
  }

  async #new(): Promise<void> {
    const { applications } = await listSessions();
    this.#say('');
    const application = await chooseApplication(applications);
    if (application !== undefined) {
      this.#add(application.path, undefined, application.description || application.transaction);
      this.#show();
    }
    this.#focus();
  }

  async #rename(tab: number | undefined): Promise<void> {
    const one = tab === undefined ? undefined : this.#tabs.get(tab);
    if (one?.label === undefined) return;
    const name = await askName(one.name, LONGEST_NAME);
    this.#say('');
    try {
      if (name !== undefined && name !== one.name) this.#take((await nameSession(one.label, name)).sessions);
    } catch (error) {
      this.#sayWhyNot(error);
    }
    this.#show();
    this.#focus();
  }

  async #close(tab: number | undefined): Promise<void> {
    const one = tab === undefined ? undefined : this.#tabs.get(tab);
    if (tab === undefined || one === undefined || one.isClosing) return;
    if (one.label !== undefined && one.state !== 'ended') {
      if (!(await askEnd([one.name, one.facts].filter(Boolean).join(', ')))) {
        this.#focus();
        return;
      }
      this.#say('');
      one.isClosing = true;
      try {
        await endSession(one.label);
      } catch (error) {
        one.isClosing = false;
        this.#sayWhyNot(error);
        // the session may still be open: close the tab only if it has ended
        if (!(error instanceof UnknownSessionError)) {
          this.#focus();
          return;
        }
      }
    }
    this.#remove(tab);
  }

  #remove(tab: number): void {
    const one = this.#tabs.get(tab);
    if (one === undefined) return;
    one.button.remove();
    one.frame.remove();
    this.#tabs.delete(tab);
    this.#model.remove(tab);
    this.#show();
    this.#focus();
  }

  async #relist(): Promise<void> {
    try {
      this.#take((await listSessions()).sessions);
      this.#show();
    } catch {
      // the terminals report lost connections themselves
    }
  }

  #take(sessions: readonly ListedSession[]): void {
    for (const tab of this.#tabs.values()) {
      const session = sessions.find(({ label }) => label === tab.label);
      if (session === undefined) continue;
      tab.name = session.name;
      tab.facts = [session.host, session.logicalUnit].filter(Boolean).join(' · ');
    }
  }

  #show(): void {
    const { seen, active, panes } = this.#model;
    for (const [number, { button, frame, name, facts, state }] of this.#tabs) {
      const title = name || words('tabs.unnamed');
      const note = { alive: '', ending: words('tabs.note.ending'), ended: words('tabs.note.ended') }[state];
      fill(button, title, [facts, note].filter(Boolean).join(' · '));
      button.setAttribute('aria-selected', String(number === active));
      button.tabIndex = number === active ? 0 : -1;
      button.classList.toggle('seen', seen.includes(number));
      button.dataset.state = state;
      frame.title = title;
      frame.panel.hidden = !seen.includes(number);
      frame.panel.style.order = String(seen.indexOf(number));
      frame.panel.classList.toggle('active', number === active && seen.length > 1);
    }
    this.#elements.area.style.setProperty('--panes', String(Math.max(1, seen.length)));
    for (const [at, button] of this.#paneButtons.entries()) {
      button.setAttribute('aria-pressed', String(panes === at + 1));
    }
    for (const id of ['rename-session', 'close-session']) tool(id)?.toggleAttribute('hidden', active === undefined);
    const name = active === undefined ? '' : this.#tabs.get(active)?.name;
    document.title = words('tabs.page', { name: name || words('tabs.title') });
    if (active !== undefined) this.#tabs.get(active)?.button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#save();
  }

  #focus(): void {
    const { active } = this.#model;
    if (document.querySelector('dialog[open]') !== null) return;
    if (active === undefined) tool('new-session')?.focus();
    else this.#tabs.get(active)?.frame.focus();
  }

  #save(): void {
    const saved = this.#model.saved((tab) => this.#tabs.get(tab)?.label);
    keepInTab(SAVED_KEY, JSON.stringify(saved));
  }

  /** @param isUnseen for screen readers only */
  #say(text: string, isUnseen = false): void {
    const { status } = this.#elements;
    status.textContent = text;
    status.classList.toggle('unseen', isUnseen || text === '');
  }

  #read(): void {
    this.#elements.status.classList.add('unseen');
  }

  #sayWhyNot(error: unknown): void {
    this.#say(error instanceof Error ? error.message : words('tabs.unreachable'));
  }

  #keyDown(event: KeyboardEvent): void {
    this.#read();
    const meant = workspaceKey(event);
    if (meant === undefined || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    event.stopPropagation();
    if (meant.kind === 'new') {
      void this.begin();
    } else if (meant.kind === 'divide') {
      this.#divide((this.#model.panes % MOST_PANES) + 1);
    } else {
      if (meant.kind === 'step') this.#model.step(meant.by);
      else this.#model.choose(meant.place);
      this.#show();
      this.#focus();
    }
  }

  /** Keys of the ARIA tabs pattern. */
  #tabKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    const { active } = this.#model;
    if (key === 'F2') void this.#rename(active);
    else if (key === 'Delete') void this.#close(active);
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      this.#model.step(key === 'ArrowRight' ? 1 : -1);
      this.#show();
      const now = this.#model.active;
      if (now !== undefined) this.#tabs.get(now)?.button.focus();
    } else return;
    event.preventDefault();
  }
}

function tool(id: string): HTMLElement | null {
  return document.getElementById(id);
}

function paneButton(panes: number): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'secondary';
  button.dataset.panes = String(panes);
  button.textContent = String(panes);
  const label = panes === 1 ? words('tabs.single') : words('tabs.sideBySide', { count: panes });
  button.setAttribute('aria-label', label);
  button.title = label;
  return button;
}

function fill(button: HTMLButtonElement, title: string, facts: string): void {
  if (button.firstChild?.textContent === title && button.lastChild?.textContent === facts) return;
  const [name, further] = [document.createElement('b'), document.createElement('span')];
  name.textContent = title;
  further.textContent = facts;
  name.className = 'name';
  further.className = 'about';
  button.replaceChildren(name, ' ', further);
}
