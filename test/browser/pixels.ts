import { expect } from 'chai';

/** Browsers lay out in fractions of a pixel, and fonts round differently on each machine; nobody sees a quarter of a pixel. */
export const PIXEL_TOLERANCE = 0.25;

/** A rectangle of the page; null where Playwright finds no element. */
type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;

/** Compares each measured length with the wanted one. */
export function expectPixels(measured: readonly number[], wanted: readonly number[], what?: string): void {
  expect(measured, what).to.have.lengthOf(wanted.length);
  for (const [at, length] of wanted.entries()) expect(measured[at], what).to.be.closeTo(length, PIXEL_TOLERANCE);
}

/** An element has neither moved nor changed its size. */
export function expectSameBox(measured: Box, wanted: Box, what?: string): void {
  if (measured === null || wanted === null) throw new Error(`${what ?? 'the element'} is not shown`);
  const lengths = ({ x, y, width, height }: NonNullable<Box>) => [x, y, width, height];
  expectPixels(lengths(measured), lengths(wanted), what);
}

/** Whether a length is a whole number of pixels. */
export function isWholePixels(length: number): boolean {
  return Math.abs(length - Math.round(length)) <= PIXEL_TOLERANCE;
}
