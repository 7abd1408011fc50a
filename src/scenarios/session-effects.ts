import type {
  Choice,
  ClickableArea,
  DeclaredField,
  FieldControl,
  PageDeclarations,
} from '../templates/page-declarations.js';
import { ScenarioAbendError } from './scenario-abend-error.js';

export type ScenarioEnding = 'end' | 'discard' | 'success' | 'fail';

export interface SessionEffects {
  /** `now`: ACTION$ DISCONNECT; `afterMessage`: ACTION$ TERMSESS, after the next message to the browser. */
  disconnects: 'now' | 'afterMessage' | undefined;
  /** ACTION$ TO-TERMINAL: the user's input is not sent to the host, and the current screen is shown. */
  toTerminal: boolean;
  /** ACTION$ REFRESH-TERMINAL: reports a change to pages that poll for changes. */
  refreshesTerminal: boolean;
  /** ACTION$ SERVE-ANOTHER-USER: the host session is kept for the next request. */
  servesAnotherUser: boolean;
  /** ACTION$ TO-APPLICATION,AND=(DO-NOT-PROCESS-RESPONSE): no OUTPUT scenario processes the current screen. */
  skipsOutput: boolean;
  /** SET$ PAGE: for all following pages. */
  page: string | undefined;
  /** SET$ TEMPORARY-PAGE: for the next page. */
  temporaryPage: string | undefined;
  declarations: DeclaredOnPage | undefined;
  transaction: string | undefined;
  /** COPY$ VARIABLE-TO-SYSTEM of an IDENTIFICATION scenario: options of the new session. */
  readonly wishes: Map<TerminalWish, string>;
}

export const terminalWishes = ['LOGMODE', 'RELAY', 'SCREEN-COLUMNS', 'SCREEN-LINES'] as const;
export type TerminalWish = (typeof terminalWishes)[number];

export function noEffects(): SessionEffects {
  return {
    disconnects: undefined,
    toTerminal: false,
    refreshesTerminal: false,
    servesAnotherUser: false,
    skipsOutput: false,
    page: undefined,
    temporaryPage: undefined,
    declarations: undefined,
    transaction: undefined,
    wishes: new Map(),
  };
}

const declarationLimits = { areas: 500, fields: 500, choicesOfField: 1_000, characters: 100_000 } as const;

export class DeclaredOnPage implements PageDeclarations {
  readonly #areas: ClickableArea[] = [];
  readonly #fields = new Map<string, DeclaredField>();
  #characters = 0;

  get areas(): readonly ClickableArea[] {
    return this.#areas;
  }

  get fields(): readonly DeclaredField[] {
    return [...this.#fields.values()];
  }

  addArea(area: ClickableArea, characters: number): void {
    this.#charge(characters);
    if (this.#areas.length >= declarationLimits.areas) {
      throw new ScenarioAbendError(`more than ${declarationLimits.areas} areas are declared`);
    }
    this.#areas.push(area);
  }

  setControl(row: number, column: number, control: FieldControl): void {
    const place = `${row},${column}`;
    if (!this.#fields.has(place) && this.#fields.size >= declarationLimits.fields) {
      throw new ScenarioAbendError(`more than ${declarationLimits.fields} fields are declared`);
    }
    this.#fields.set(place, { row, column, control });
  }

  /**
   * Adds to the existing choices of a field.
   * @throws ScenarioAbendError if a limit is exceeded
   */
  addChoices(row: number, column: number, added: readonly Choice[]): void {
    const before = this.#fields.get(`${row},${column}`)?.control;
    const choices = [...(before?.kind === 'choice' ? before.choices : []), ...added];
    if (choices.length > declarationLimits.choicesOfField) {
      throw new ScenarioAbendError(`a field has more than ${declarationLimits.choicesOfField} choices`);
    }
    this.#charge(added.reduce((sum, { value, label }) => sum + value.length + label.length, 0));
    this.setControl(row, column, { kind: 'choice', choices });
  }

  #charge(characters: number): void {
    this.#characters += characters;
    if (this.#characters > declarationLimits.characters) {
      throw new ScenarioAbendError(`the declarations have more than ${declarationLimits.characters} characters`);
    }
  }
}
