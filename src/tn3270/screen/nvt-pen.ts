import type { BufferAddress } from '../datastream/buffer-address.js';
import type { Planes } from './planes.js';

/** SGR 1, 4, 5 and 7 as bits of the highlighting attribute. */
const highlightingBits: Readonly<Record<number, number>> = { 1: 0x08, 4: 0x04, 5: 0x01, 7: 0x02 };
/** Black, red, green, yellow, blue, magenta, cyan, white. */
const colourOfAnsi = [0xf0, 0xf2, 0xf4, 0xf6, 0xf1, 0xf3, 0xf5, 0xf7] as const;

interface Look {
  readonly foreground: number;
  readonly background: number;
  readonly highlighting: number;
}

const PLAIN: Look = { foreground: 0, background: 0, highlighting: 0 };

export class NvtPen {
  look = PLAIN;

  reset(): void {
    this.look = PLAIN;
  }

  select(parameters: readonly number[]): void {
    for (const value of parameters.length > 0 ? parameters : [0]) this.#select(value);
  }

  mark(planes: Planes, at: BufferAddress): void {
    const { foreground, background, highlighting } = this.look;
    planes.foregrounds[at] = foreground;
    planes.setRare('backgrounds', at, background);
    planes.highlightings[at] = highlighting;
  }

  #select(value: number): void {
    if (value === 0) {
      this.look = PLAIN;
    } else if (value in highlightingBits) {
      const bits = (this.look.highlighting & 0x0f) | (highlightingBits[value] as number);
      this.look = { ...this.look, highlighting: 0xf0 | bits };
    } else if (value >= 30 && value <= 37) {
      this.look = { ...this.look, foreground: colourOfAnsi[value - 30] as number };
    } else if (value === 39) {
      this.look = { ...this.look, foreground: 0 };
    } else if (value >= 40 && value <= 47) {
      this.look = { ...this.look, background: colourOfAnsi[value - 40] as number };
    } else if (value === 49) {
      this.look = { ...this.look, background: 0 };
    }
  }
}
