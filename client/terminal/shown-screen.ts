import type { BrowserTerminal } from './model/browser-terminal.js';
import type { CharacterStyle } from './model/presentation-buffer.js';
import type { ShownScreen } from './screen-view.js';
import type { ShownField } from './terminal-port.js';

type ShownModel = Pick<BrowserTerminal, 'rows' | 'columns' | 'cursor' | 'cells' | 'runs' | 'hiddenText'> & {
  readonly fields: readonly ShownField[];
};

export function shownScreen(model: ShownModel): ShownScreen {
  const styles = new Array<CharacterStyle | undefined>(model.rows * model.columns);
  for (const run of model.runs) styles.fill(run, run.address, run.address + run.length);
  return {
    rows: model.rows,
    columns: model.columns,
    cursor: model.cursor,
    cells: model.cells(),
    fields: model.fields,
    isFormatted: model.fields.length > 0,
    styleAt: (position) => styles[position],
    hiddenText: ({ address }) => model.hiddenText(address),
  };
}
