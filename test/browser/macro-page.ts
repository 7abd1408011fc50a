import type { Locator } from 'playwright-core';
import type { TerminalPage } from './terminal-page.js';

/** The macros of a terminal page, as its user handles them. */
export class MacroPage {
  readonly terminal: TerminalPage;

  constructor(terminal: TerminalPage) {
    this.terminal = terminal;
  }

  get page() {
    return this.terminal.page;
  }

  /** The dialog on top. */
  get dialog(): Locator {
    return this.page.getByRole('dialog').last();
  }

  get recordButton(): Locator {
    return this.page.getByRole('button', { name: 'Record', exact: true });
  }

  button(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  async openList(): Promise<void> {
    await this.page.locator('#macro-list').click();
    await this.page.getByRole('heading', { name: /^Macros \(/ }).waitFor();
  }

  /** Ends the recording, under a name. */
  async save(name: string): Promise<void> {
    await this.recordButton.click();
    await this.dialog.getByLabel('Name').fill(name);
    await this.button('Save').click();
    await this.terminal.says('The macro was saved');
  }

  async run(name: string): Promise<void> {
    await this.openList();
    await this.button(`Run ${name}`).click();
  }

  /** What can be done with a macro. */
  async more(name: string, action: string): Promise<void> {
    await this.button(`More about ${name}`).click();
    await this.button(action).click();
  }

  /** The macros of this browser. */
  stored(): Promise<{ readonly macros: readonly StoredMacro[]; readonly fmt: number }> {
    return this.page.evaluate("JSON.parse(localStorage.getItem('sallyport-macros') ?? '{\"macros\":[]}')");
  }

  /** Has these macros, as a browser has that has recorded them. */
  async store(...macros: readonly Partial<StoredMacro>[]): Promise<void> {
    const set = { macros: macros.map((macro) => ({ rev: 1, ...macro })), fmt: 2 };
    await this.page.evaluate(`localStorage.setItem('sallyport-macros', ${JSON.stringify(JSON.stringify(set))})`);
    await this.page.reload();
    await this.terminal.shows('F3');
    await this.terminal.free();
  }
}

/** A step that says which screen the next ones are for. */
export function isScreenStep(step: unknown): boolean {
  return typeof step === 'object' && step !== null && 'screen' in step;
}

export interface StoredMacro {
  readonly name: string;
  readonly rev: number;
  readonly def: readonly unknown[];
  readonly mapping?: { readonly key: string; readonly keycode: number };
}
