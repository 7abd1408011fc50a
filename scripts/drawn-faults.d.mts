export interface CodeFile {
  readonly file: string;
  readonly room: string;
  readonly text: string;
}

export interface Change {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface DrawnFault {
  readonly file: string;
  readonly room: string;
  readonly start: number;
  readonly fault: string;
  readonly faulty: string;
}

export function drawFaults(files: readonly CodeFile[], count: number, seed: number): readonly DrawnFault[];
export function changesIn(text: string): readonly Change[];
