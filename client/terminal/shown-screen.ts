import type { BrowserTerminal } from './model/browser-terminal.js';
import { extendedStyle, type ShownScreen } from './screen-view.js';
import type { ShownField } from './terminal-port.js';

type ShownModel = Pick<BrowserTerminal, 'rows' | 'columns' | 'cursor' | 'cells' | 'runs' | 'hiddenText'> & {
  readonly fields: readonly ShownField[];
};

/** What the view shows of the model. */
export function shownScreen(model: ShownModel): ShownScreen {
  const styles = new Array<string>(model.rows * model.columns).fill('');
  for (const { address, length, colour, highlighting, background } of model.runs) {
    const style = extendedStyle(colour, highlighting, background);
    styles.fill(style, address, address + length);
  }
  return {
    rows: model.rows,
    columns: model.columns,
    cursor: model.cursor,
    cells: model.cells(),
    fields: model.fields,
    isFormatted: model.fields.length > 0,
    styleAt: (position) => styles[position] ?? '',
    hiddenText: ({ address }) => model.hiddenText(address),
  };
}
