import type { ScreenTexts } from '../../../../src/macros/macro-step.js';
import { attentionKeyNamed, isShortReadKey } from '../../../../src/tn3270/keyboard/attention-keys.js';
import type { PerformedAction } from '../../model/performed-action.js';
import { words } from '../../words/words.js';

export interface InputField {
  /** Address of its first character. */
  readonly start: number;
  readonly length: number;
  readonly label: string;
  readonly isHidden: boolean;
  readonly isTyped: boolean;
  /** Displayed text; empty for hidden fields. */
  readonly text: string;
}

interface Sight {
  readonly columns: number;
  readonly cursor: number;
  readonly fields: readonly InputField[];
  /** Undefined if no text identifies the screen. */
  readonly identity: ScreenTexts | undefined;
}

export interface ParameterMark {
  readonly name: string;
  readonly isSecret: boolean;
}

/** An area that the service reads. Rows and columns count from 1, both ends included. */
export interface ExtractMark {
  readonly name: string;
  readonly as: 'string' | 'integer' | 'decimal';
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
}

export interface Visit {
  readonly identity: ScreenTexts | undefined;
  readonly columns: number;
  readonly typed: readonly (InputField & { readonly mark: ParameterMark | undefined })[];
  /** Cursor position set without typing. */
  readonly cursor: number | undefined;
  /** In the notation of services; undefined for the last screen of the recording. */
  readonly key: string | undefined;
  readonly extracts: readonly ExtractMark[];
}

const MOST_VISITS = 100;

/** Records actions screen by screen, for a service. Text typed into hidden fields never gets here. */
export class VisitRecorder {
  readonly #look: (key: string) => Sight;
  readonly #visits: Visit[] = [];
  #marks = new Map<number, ParameterMark>();
  #extracts: ExtractMark[] = [];
  #arrived: number | undefined;
  #problem: string | undefined;

  constructor(look: (key: string) => Sight) {
    this.#look = look;
  }

  get problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    return this.#visits.length === 0 ? words('visit.noKey') : undefined;
  }

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
