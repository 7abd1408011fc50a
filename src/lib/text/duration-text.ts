const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** At most two units: `45 s`, `7 min`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return twoUnits(Math.floor(seconds / HOUR), 'h', Math.floor((seconds % HOUR) / MINUTE), 'min');
  return twoUnits(Math.floor(seconds / DAY), 'd', Math.floor((seconds % DAY) / HOUR), 'h');
}

function twoUnits(many: number, unit: string, rest: number, smaller: string): string {
  return rest === 0 ? `${many} ${unit}` : `${many} ${unit} ${rest} ${smaller}`;
}
