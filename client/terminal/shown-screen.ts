import type { BrowserTerminal } from './model/browser-terminal.js';
import { extendedStyle, type ShownScreen } from './screen-view.js';

/** What the view shows of the model. */
export function shownScreen(model: BrowserTerminal): ShownScreen {
  const styles = new Map<number, string>();
  for (const { address, length, colour, highlighting, background } of model.runs) {
    const style = extendedStyle(colour, highlighting, background);
    for (let at = address; at < address + length; at++) styles.set(at, style);
  }
  return {
    rows: model.rows,
    columns: model.columns,
    cursor: model.cursor,
    cells: model.cells(),
    fields: model.fields,
    isFormatted: model.fields.length > 0,
    styleAt: (position) => styles.get(position) ?? '',
    hiddenText: ({ address }) => model.hiddenText(address),
  };
}
