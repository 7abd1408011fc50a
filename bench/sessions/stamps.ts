/**
 * Times on the screen. A stamp is written in letters, alternately A to J and K to T. So every position differs from the
 * previous stamp, and a change of the screen always contains the whole stamp.
 */
const DIGITS = 13;
const shape = new RegExp(`([A-T]{${DIGITS}})=([A-T]{${DIGITS}})`);

/** Microseconds of the monotonic clock, which all processes of a machine share. */
export function nowMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

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

export function readStamp(text: string): HostTimes | undefined {
  const [, received, answered] = shape.exec(text) ?? [];
  if (received === undefined || answered === undefined) return undefined;
  const number = (letters: string) => Number([...letters].map((letter) => (letter.charCodeAt(0) - 65) % 10).join(''));
  return { received: number(received), answered: number(answered) };
}
