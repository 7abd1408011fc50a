import { MOST_PRINT_POSITIONS } from './paper.js';

/** Lines of the longest page of a 3287. */
const MOST_LINES = 255;

/** Positions count from 1, as the data stream has them. */
interface HorizontalFormat {
  readonly maximumPosition: number;
  readonly leftMargin: number;
  readonly tabs: readonly number[];
}

interface VerticalFormat {
  /** 1: pages end at form feeds only. */
  readonly maximumLine: number;
  readonly topMargin: number;
  readonly bottomMargin: number;
  readonly tabs: readonly number[];
}

export const defaultHorizontalFormat: HorizontalFormat = {
  maximumPosition: MOST_PRINT_POSITIONS,
  leftMargin: 1,
  tabs: [],
};
export const defaultVerticalFormat: VerticalFormat = { maximumLine: 1, topMargin: 1, bottomMargin: 1, tabs: [] };

/**
 * SHF: maximum print position, left margin, right margin (which no printer heeds), then tab stops. What is left out or out of
 * range has its default.
 */
export function readHorizontalFormat(parameters: Uint8Array): HorizontalFormat {
  const [mpp = 0, lm = 0] = parameters;
  const maximumPosition = mpp >= 1 && mpp <= MOST_PRINT_POSITIONS ? mpp : MOST_PRINT_POSITIONS;
  const leftMargin = lm >= 1 && lm < maximumPosition ? lm : 1;
  return { maximumPosition, leftMargin, tabs: tabsOf(parameters.subarray(3), maximumPosition) };
}

/** SVF: maximum print line, top margin, bottom margin, then tab stops. */
export function readVerticalFormat(parameters: Uint8Array): VerticalFormat {
  const [mpl = 0, tm = 0, bm = 0] = parameters;
  const maximumLine = mpl >= 1 && mpl <= MOST_LINES ? mpl : 1;
  const topMargin = tm >= 1 && tm < maximumLine ? tm : 1;
  const bottomMargin = bm >= topMargin && bm < maximumLine ? bm : maximumLine;
  return { maximumLine, topMargin, bottomMargin, tabs: tabsOf(parameters.subarray(3), maximumLine) };
}

function tabsOf(stops: Uint8Array, last: number): number[] {
  return [...new Set(stops)].filter((stop) => stop >= 1 && stop <= last).sort((left, right) => left - right);
}

/** The next stop behind a place; undefined: there is none. */
export function nextTab(tabs: readonly number[], place: number): number | undefined {
  return tabs.find((stop) => stop > place);
}
