/** WCAG 2.2, 1.4.3: for text of any size. */
const LEAST_CONTRAST = 4.5;
const STEPS = 20;

type Channels = readonly [red: number, green: number, blue: number];

/** Contrast from 1 to 21 (WCAG 2.2, relative luminance of sRGB). @param one as `#rrggbb` */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes two colours. @param part share of `to` */
export function mixed(from: string, to: string, part: number): string {
  const [start, end] = [channelsOf(from), channelsOf(to)];
  const values = start.map((value, at) => Math.round(value + ((end[at] ?? 0) - value) * part));
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export function lettersOn(background: string): '#ffffff' | '#000000' {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';
}

/**
 * The colour itself if it is readable on all backgrounds; otherwise the nearest readable one towards white or black.
 */
export function readable(colour: string, backgrounds: readonly string[]): string {
  const [background = '#000000'] = backgrounds;
  const target = lettersOn(background);
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixed(colour, target, step / STEPS);
    if (backgrounds.every((one) => contrast(candidate, one) >= LEAST_CONTRAST)) return candidate;
  }
  return target;
}

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): Channels {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 0xff, number & 0xff];
}
