/** Unit of the right half of a double-byte character. DEL never appears on a screen. */
export const RIGHT_HALF_UNIT = 0x7f;
/** Unit of a character that takes several UTF-16 units and is stored in `wide`. */
export const SEVERAL_UNITS = 0xffff;
export const BLANK_UNIT = 0x20;

const LARGEST_LATIN = 0xff;

/** Shared by all screens. Valid until the next text is built. */
let scratch = new Uint16Array(0);

/** Builds the text of a screen, position by position. Only one text can be built at a time. */
export class ScreenTextBuilder {
  /** One unit per position, blank at first. Write only Latin units, or use `put`. */
  readonly units: Uint16Array;
  #wide: Map<number, string> | undefined;

  constructor(positions: number) {
    if (scratch.length < positions) scratch = new Uint16Array(positions);
    this.units = scratch.subarray(0, positions).fill(BLANK_UNIT);
  }

  /** @param character '' for the right half of a double-byte character */
  put(at: number, character: string): void {
    const unit = character.charCodeAt(0);
    if (character === '') this.units[at] = RIGHT_HALF_UNIT;
    else if (character.length === 1 && unit !== RIGHT_HALF_UNIT && unit !== SEVERAL_UNITS) this.units[at] = unit;
    else {
      this.units[at] = SEVERAL_UNITS;
      this.#wide ??= new Map();
      this.#wide.set(at, character);
    }
  }

  finish(): ScreenText {
    let largest = 0;
    for (const unit of this.units) if (unit > largest) largest = unit;
    const units = largest <= LARGEST_LATIN ? Uint8Array.from(this.units) : this.units.slice();
    return new ScreenText(units, this.#wide ?? noWideCharacters);
  }
}

const noWideCharacters: ReadonlyMap<number, string> = new Map();

/** Immutable text of a screen, without the content of non-displayable fields: one UTF-16 unit per position. */
export class ScreenText {
  /** In bytes if all are Latin 1. Never written. */
  readonly units: Uint8Array | Uint16Array;
  /** Characters of several UTF-16 units, by position. */
  readonly wide: ReadonlyMap<number, string>;
  #unitText: string | undefined;
  #isSimple: boolean | undefined;
  #shown: string | undefined;
  #cells: readonly string[] | undefined;

  constructor(units: Uint8Array | Uint16Array, wide: ReadonlyMap<number, string>) {
    this.units = units;
    this.wide = wide;
  }

  /** @param cells a character per position; '' for the right half of a double-byte character */
  static ofCells(cells: readonly string[]): ScreenText {
    const builder = new ScreenTextBuilder(cells.length);
    for (let at = 0; at < cells.length; at++) builder.put(at, cells[at] as string);
    return builder.finish();
  }

  static blank(positions: number): ScreenText {
    return new ScreenText(new Uint8Array(positions).fill(BLANK_UNIT), noWideCharacters);
  }

  get length(): number {
    return this.units.length;
  }

  /** True if each position shows exactly one unit. */
  get isSimple(): boolean {
    this.#isSimple ??= this.wide.size === 0 && !this.units.includes(RIGHT_HALF_UNIT);
    return this.#isSimple;
  }

  /** True if each position is blank. The halves of a double-byte character are not, even if it is hidden. */
  get isBlank(): boolean {
    return this.units.every((unit) => unit === BLANK_UNIT);
  }

  /** One unit per position, with the signs of `units`. It is sliced without copies. */
  get unitText(): string {
    this.#unitText ??= textOfUnits(this.units);
    return this.#unitText;
  }

  /** The displayed characters. */
  get shown(): string {
    this.#shown ??= this.isSimple ? this.unitText : this.cells.join('');
    return this.#shown;
  }

  /** The displayed characters of some positions. */
  slice(from: number, to = this.length): string {
    if (this.isSimple) return this.unitText.slice(from, to);
    let text = '';
    for (let at = from; at < Math.min(to, this.length); at++) text += this.cellAt(at);
    return text;
  }

  /** '' for the right half of a double-byte character, and outside the screen. */
  cellAt(at: number): string {
    const unit = this.units[at];
    if (unit === undefined || unit === RIGHT_HALF_UNIT) return '';
    return unit === SEVERAL_UNITS ? (this.wide.get(at) ?? '') : String.fromCharCode(unit);
  }

  /** A character per position, for code that needs an array. */
  get cells(): readonly string[] {
    this.#cells ??= Array.from({ length: this.length }, (_, at) => this.cellAt(at));
    return this.#cells;
  }
}

export function textOfUnits(units: Uint8Array | Uint16Array): string {
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } = units;
  return Buffer.from(buffer, byteOffset, byteLength).toString(BYTES_PER_ELEMENT === 1 ? 'latin1' : 'utf16le');
}
