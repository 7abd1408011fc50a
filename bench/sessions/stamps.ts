/**
 * Times that travel on the screen. A stamp is written in letters, A to J or K to T in turn, so that every position of it differs
 * from the stamp before: a change of the screen always has it whole.
 */
const DIGITS = 13;
const shape = new RegExp(`([A-T]{${DIGITS}})=([A-T]{${DIGITS}})`);

/** Microseconds of the clock that all processes of a machine share. */
export function nowMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** When the host had a key, and when it began to answer it. */
export interface HostTimes {
  readonly received: number;
  readonly answered: number;
}

export function stampText(turn: number, { received, answered }: HostTimes): string {
  const first = turn % 2 === 0 ? 65 : 75;
  const letters = (microseconds: number) =>
    [...String(microseconds).padStart(DIGITS, '0')].map((digit) => String.fromCharCode(first + Number(digit))).join('');
  return `${letters(received)}=${letters(answered)}`;
}

/** @returns undefined where the text has no stamp */
export function readStamp(text: string): HostTimes | undefined {
  const [, received, answered] = shape.exec(text) ?? [];
  if (received === undefined || answered === undefined) return undefined;
  const number = (letters: string) => Number([...letters].map((letter) => (letter.charCodeAt(0) - 65) % 10).join(''));
  return { received: number(received), answered: number(answered) };
}
