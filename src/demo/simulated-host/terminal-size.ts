import type { PanelTerminal } from './panel.js';

export const DEFAULT_SIZE = { rows: 24, columns: 80 } as const;

const sizeOfModel: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  2: [24, 80],
  3: [32, 80],
  4: [43, 80],
  5: [27, 132],
};

/** What a device type says of its screen. */
export function sizeOf(deviceType: string): PanelTerminal {
  const model = /-([2-5])(-E)?$/.exec(deviceType);
  const [rows, columns] = sizeOfModel[model?.[1] ?? '2'] ?? [DEFAULT_SIZE.rows, DEFAULT_SIZE.columns];
  return {
    rows,
    columns,
    isLarge: rows * columns > DEFAULT_SIZE.rows * DEFAULT_SIZE.columns,
    extended: model?.[2] !== undefined,
  };
}
