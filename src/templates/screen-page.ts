import type { HostField, HostScreen } from '../tn3270/screen/form-screen.js';
import { type OfferedChoice, type OneBasedArea, positionsOf } from './page-declarations.js';

/** Rule of ON-ATTRIBUTE, ADD-TO-FIELDS and the like. */
export interface StyleRule<Body> {
  readonly words: readonly string[];
  /** WITH-NO-MATCH-BELOW, WITH-NO-MATCH-ABOVE. */
  readonly onlyAlone: boolean;
  readonly body: Body;
}

/** An area named by the page; each reference in a column moves to the next row. */
interface NamedArea extends OneBasedArea {
  /** BMS style: the position is that of the attribute. */
  readonly isBms: boolean;
  readonly height: number;
  references: number;
}

export class ScreenPage<Body> {
  readonly before = new Set<StyleRule<Body>>();
  readonly after = new Set<StyleRule<Body>>();
  readonly beforeCharacters = new Set<StyleRule<Body>>();
  readonly afterCharacters = new Set<StyleRule<Body>>();
  readonly inputs = new Set<StyleRule<Body>>();
  readonly areas = new Map<string, NamedArea>();
  /** HTML field name → address of the first character. */
  readonly fieldNames = new Map<string, number>();
  readonly #nameAt = new Map<number, string>();
  /** First characters of the fields with inputs. */
  readonly offered = new Set<number>();
  /** First characters of the fields with lists and check boxes. */
  readonly choices = new Map<number, OfferedChoice>();
  /** DEFAULT-FIELD-WITH-CURSOR. */
  defaultField: string | undefined;
  /** Prevents GENERATE-HTML from running within its own output. */
  isGenerating = false;

  hasMade(start: number): boolean {
    return this.offered.has(start) || this.choices.has(start);
  }

  /** Names the field of an area; ignores an area outside the screen. */
  name(screen: HostScreen, area: OneBasedArea, isBms: boolean, name: string): void {
    const { from, to } = positionsOf(area, screen);
    if (from === to) return;
    const address = isBms ? (from + 1) % (screen.rows * screen.columns) : from;
    this.fieldNames.set(name, address);
    this.#nameAt.set(address, name);
  }

  nameOf(screen: HostScreen, field: HostField): string {
    return this.#nameAt.get(field.start) ?? screen.idOf(field.start, true);
  }
}

/** Words that a field matches (reference 2.4). */
export function fieldKeywords(field: HostField): Set<string> {
  const words = new Set([
    field.isProtected ? 'PROTECTED' : 'UNPROTECTED',
    field.isNumeric ? 'NUMERIC' : 'ALPHANUMERIC',
    field.isNonDisplayable ? 'NON-DISPLAY' : 'DISPLAY',
    field.colour,
    field.highlighting,
  ]);
  if (field.isModified) words.add('MDTON');
  if (field.isDetectable) words.add('DETECTABLE');
  if (field.isIntensified) {
    words.add('INTENSIFIED');
    words.add('BRIGHT');
  } else if (!field.isNonDisplayable) words.add('NORMAL');
  return words;
}

/** Matching rules in the given order; `onlyAlone` rules match only before any other. */
export function matching<Body>(rules: Iterable<StyleRule<Body>>, words: ReadonlySet<string>): StyleRule<Body>[] {
  const found: StyleRule<Body>[] = [];
  for (const rule of rules) {
    if (rule.onlyAlone && found.length > 0) continue;
    if (rule.words.every((word) => words.has(word))) found.push(rule);
  }
  return found;
}
