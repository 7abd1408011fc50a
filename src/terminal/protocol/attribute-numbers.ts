import type { ImageField, ImageRun } from '../../tn3270/screen/screen-image.js';
import type { FieldTuple, RunTuple } from './server-message.js';

/** Protected, numeric, display, modified. */
const SHOWN_ATTRIBUTE_BITS = 0x3d;
const FIELD_NUMBERS = 7;
const RUN_NUMBERS = 5;

/** The numbers of all fields, seven of each, zeros included. */
export function numbersOfFields(fields: readonly ImageField[]): Uint16Array {
  const numbers = new Uint16Array(fields.length * FIELD_NUMBERS);
  let at = 0;
  for (const { address, attribute, foreground, highlighting, background, validation, doubleByteEntry } of fields) {
    numbers[at++] = address;
    numbers[at++] = attribute & SHOWN_ATTRIBUTE_BITS;
    numbers[at++] = colour(foreground);
    numbers[at++] = highlighting & 0x0f;
    numbers[at++] = colour(background);
    numbers[at++] = validation;
    numbers[at++] = doubleByteEntry;
  }
  return numbers;
}

/** The numbers of all runs, five of each, zeros included. */
export function numbersOfRuns(runs: readonly ImageRun[]): Uint16Array {
  const numbers = new Uint16Array(runs.length * RUN_NUMBERS);
  let at = 0;
  for (const { address, length, foreground, highlighting, background } of runs) {
    numbers[at++] = address;
    numbers[at++] = length;
    numbers[at++] = colour(foreground);
    numbers[at++] = highlighting & 0x0f;
    numbers[at++] = colour(background);
  }
  return numbers;
}

export function fieldTuples(numbers: Uint16Array): FieldTuple[] {
  return tuples(numbers, FIELD_NUMBERS);
}

export function runTuples(numbers: Uint16Array): RunTuple[] {
  return tuples(numbers, RUN_NUMBERS);
}

export function areSame(one: Uint16Array, other: Uint16Array): boolean {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}

/** 0 the device's own, 1 blue … 7 white … 15 white, 16 neutral black. */
function colour(value: number): number {
  return value === 0 ? 0 : value & 0x0f || 16;
}

/** Each with two numbers at least, and without zeros behind them. */
function tuples(numbers: Uint16Array, width: number): (readonly [number, number, ...number[]])[] {
  const found: [number, number, ...number[]][] = [];
  for (let start = 0; start < numbers.length; start += width) {
    let end = start + width;
    while (end > start + 2 && numbers[end - 1] === 0) end--;
    // as long as it will be: one that grows takes room for 17 more
    const tuple = new Array<number>(end - start) as [number, number, ...number[]];
    for (let at = start; at < end; at++) tuple[at - start] = numbers[at] ?? 0;
    found.push(tuple);
  }
  return found;
}
