import type { ScreenTexts } from '../../../../src/macros/macro-step.js';
import { attentionKeyNamed, isShortReadKey } from '../../../../src/tn3270/keyboard/attention-keys.js';
import type { PerformedAction } from '../../model/performed-action.js';
import { words } from '../../words/words.js';

/** A field that can be typed into. */
export interface InputField {
  /** Of its first character. */
  readonly start: number;
  readonly length: number;
  readonly label: string;
  readonly isHidden: boolean;
  /** It was typed into since the screen came. */
  readonly isTyped: boolean;
  /** What is displayed in it; empty where that is hidden. */
  readonly text: string;
}

/** The screen as it is when a key for the host is pressed. */
interface Sight {
  readonly columns: number;
  readonly cursor: number;
  readonly fields: readonly InputField[];
  /** Undefined where nothing tells it. */
  readonly identity: ScreenTexts | undefined;
}

/** What a caller of the service gives in place of what was typed. */
export interface ParameterMark {
  readonly name: string;
  readonly isSecret: boolean;
}

/** What the service reads. Rows and columns count from 1; the last ones belong to it. */
export interface ExtractMark {
  readonly name: string;
  readonly as: 'string' | 'integer' | 'decimal';
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
}

/** What was done on one screen. */
export interface Visit {
  readonly identity: ScreenTexts | undefined;
  readonly columns: number;
  readonly typed: readonly (InputField & { readonly mark: ParameterMark | undefined })[];
  /** Where it was put, where nothing was typed. */
  readonly cursor: number | undefined;
  /** As services name it; undefined: the screen that the recording ended on. */
  readonly key: string | undefined;
  readonly extracts: readonly ExtractMark[];
}

const MOST_VISITS = 100;

/** Writes down what is done screen by screen, for a service. What is typed into a hidden field never comes here. */
export class VisitRecorder {
  readonly #look: (key: string) => Sight;
  readonly #visits: Visit[] = [];
  #marks = new Map<number, ParameterMark>();
  #extracts: ExtractMark[] = [];
  /** Where the cursor was when the screen came. */
  #arrived: number | undefined;
  #problem: string | undefined;

  /** @param look at the screen, with the fields that a key would send */
  constructor(look: (key: string) => Sight) {
    this.#look = look;
  }

  /** Why no service can be made of it. */
  get problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    return this.#visits.length === 0 ? words('visit.noKey') : undefined;
  }

  /** The visits, and what is marked on the screen that is there. */
  get visits(): readonly Visit[] {
    return [...this.#visits, this.#visit(undefined)];
  }

  performed({ action, from }: PerformedAction): void {
    this.#arrived ??= from.position;
    const key = action.did === 'pressed' ? attentionKeyNamed(action.key) : undefined;
    if (key !== undefined) this.#leave(key);
  }

  sent(key: string): void {
    this.#problem ??= words('visit.cannotPress', { key });
  }

  /** Of a field, by its first character, on the screen that is there. */
  markParameter(start: number, mark: ParameterMark): void {
    this.#marks.set(start, mark);
  }

  markExtract(mark: ExtractMark): void {
    this.#extracts.push(mark);
  }

  #leave(key: string): void {
    if (this.#visits.length >= MOST_VISITS - 1) {
      this.#problem ??= words('visit.mostSteps', { most: MOST_VISITS });
      return;
    }
    this.#visits.push(this.#visit(key));
    this.#marks = new Map();
    this.#extracts = [];
    this.#arrived = undefined;
  }

  #visit(key: string | undefined): Visit {
    const { identity, columns, cursor, fields } = this.#look(key ?? 'Enter');
    const isSent = key !== undefined && !isShortReadKey(key);
    const typed = isSent ? fields.filter(({ isTyped, start }) => isTyped || this.#marks.has(start)) : [];
    const isPut = isSent && typed.length === 0 && cursor !== (this.#arrived ?? cursor);
    return {
      identity,
      columns,
      typed: typed.map((field) => ({ ...field, mark: this.#marks.get(field.start) })),
      cursor: isPut ? cursor : undefined,
      key,
      extracts: this.#extracts,
    };
  }
}
