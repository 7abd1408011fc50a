import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { themes } from '../../src/terminal/settings/terminal-settings.js';
import { projectFolder } from '../support/project.js';

type Colours = ReadonlyMap<string, string>;
type Scheme = 'light' | 'dark';

const css = readFileSync(join(projectFolder, 'client', 'terminal', 'style', 'themes.css'), 'utf8').replaceAll(
  /\/\*.*?\*\//gs,
  '',
);
const inks = ['green', 'red', 'blue', 'white', 'pink', 'turquoise', 'yellow', 'dim'];
/** A theme that is not dark or light by itself is what the system is. */
const schemesOf = (theme: string): readonly Scheme[] => {
  const [, own] = /color-scheme: (dark|light);/.exec(blockTextOf(`[data-theme="${theme}"]`)) ?? [];
  return own === undefined ? ['light', 'dark'] : [own as Scheme];
};

function blockTextOf(selector: string): string {
  return css.split(`${selector} {`)[1]?.split('}')[0] ?? '';
}

function blockOf(selector: string): Colours {
  return new Map(
    [...blockTextOf(selector).matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const valuesOf = (theme: string) => new Map([...blockOf(':root'), ...blockOf(`[data-theme="${theme}"]`)]);

/** The colours of a theme in one scheme, as channels from 0 to 255. */
function coloursOf(theme: string, scheme: Scheme): (name: string) => readonly number[] {
  const all = valuesOf(theme);
  const resolve = (name: string): readonly number[] => {
    const value = all.get(name) ?? '';
    const [, light = '', dark = ''] = /^light-dark\((#\w+), (#\w+)\)$/.exec(value) ?? [];
    const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
    if (other !== undefined) return resolve(other);
    const hex = light === '' ? value : scheme === 'light' ? light : dark;
    expect(hex, `${theme} ${name}`).to.match(/^#[\da-f]{6}$/);
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  };
  return resolve;
}

/** WCAG 2.2, definition of contrast ratio. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (channels: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = channels.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (lighter + 0.05) / (darker + 0.05);
}

const mixed = (one: readonly number[], other: readonly number[], part: number) =>
  one.map((value, at) => value * part + (other[at] ?? 0) * (1 - part));

describe('the themes of the terminal', () => {
  it('are those that can be chosen', () => {
    const named = [...css.matchAll(/\[data-theme="([\w-]+)"\]/g)].map(([, name]) => name);
    expect(new Set(themes)).to.deep.equal(new Set(['system', 'own', ...named]));
  });

  for (const theme of themes.filter((name) => name !== 'own')) {
    for (const scheme of schemesOf(theme)) {
      const least = theme === 'high-contrast' ? 7 : 4.5;
      it(`${theme} can be read, ${scheme}: ${least}:1`, () => {
        const colour = coloursOf(theme, scheme);
        const part = Number.parseInt(valuesOf(theme).get(`behind-${scheme}`) ?? '', 10) / 100;
        const faint: string[] = [];
        const pair = (ink: string, on: string, background: readonly number[], needed = least) => {
          const ratio = contrast(colour(ink), background);
          if (ratio < needed) faint.push(`${ink} on ${on}: ${ratio.toFixed(2)}`);
        };
        for (const ink of inks) {
          // in reverse the pair is the same
          for (const background of ['glass', 'field', 'typing']) pair(ink, background, colour(background));
          for (const behind of inks) {
            if (behind === ink || ink === 'dim' || behind === 'dim') continue;
            pair(ink, `on-${behind}`, mixed(colour(behind), colour('glass'), part));
          }
        }
        for (const ink of ['text', 'quiet', 'accent', 'danger']) {
          for (const background of ['page', 'panel']) pair(ink, background, colour(background));
        }
        pair('page', 'accent', colour('accent'));
        pair('glass', 'caret', colour('caret'));
        expect(faint).to.deep.equal([]);
      });
    }
  }
});
