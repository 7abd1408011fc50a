/** What is done to the screen other than by keys. Positions count from 0, rows and columns of `copy` from 1. */
export type Instruction =
  | { readonly does: 'move'; readonly position: number }
  | {
      readonly does: 'copy';
      readonly startRow: number;
      readonly startColumn: number;
      readonly endRow: number;
      readonly endColumn: number;
    }
  | { readonly does: 'paste'; readonly position: number; readonly rows?: number; readonly columns?: number };

const form = /^(move|copy|paste)\s*\(\s*(\d{1,5}(?:\s*,\s*\d{1,5})*)\s*\)$/;

/** `move`, `copy` or `paste` with as many numbers as it takes, and blanks that people write. Undefined where it is none. */
export function instructionOf(text: string): Instruction | undefined {
  const [, does, list = ''] = form.exec(text) ?? [];
  const numbers = list.split(',').map(Number);
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers;
  const takes = (count: number) => numbers.length === count;
  if (does === 'move' && takes(1)) return { does, position: first };
  if (does === 'copy' && takes(4)) {
    return { does, startRow: first, startColumn: second, endRow: third, endColumn: fourth };
  }
  if (does === 'paste' && takes(1)) return { does, position: first };
  if (does === 'paste' && takes(3)) return { does, position: first, rows: second, columns: third };
  return undefined;
}

/** As macro files have it: without blanks. */
export function isInstruction(step: string): boolean {
  return !/\s/.test(step) && instructionOf(step) !== undefined;
}

export const moveTo = (position: number) => `move(${position})`;
export const isMove = (step: unknown) => typeof step === 'string' && instructionOf(step)?.does === 'move';
