import { PROGRAM } from './resource.js';

/** The name of a file with the settings of a session: it ends with the name of the program, or another one that it has. */
export function isSessionFile(name: string, alias: string): boolean {
  const folded = name.toLowerCase();
  return [PROGRAM, alias].some((program) => folded.endsWith(`.${program.toLowerCase()}`));
}

interface SessionLine {
  readonly number: number;
  readonly text: string;
}

/** Its lines without comments and blanks around them. Behind a backslash a line goes on in the next, and has the number of the last. */
export function sessionLines(lines: readonly string[]): readonly SessionLine[] {
  const joined: SessionLine[] = [];
  let before = '';
  for (const [at, line] of lines.entries()) {
    const goesOn = line.endsWith('\\');
    before += goesOn ? line.slice(0, -1) : line;
    if (goesOn && at < lines.length - 1) continue;
    const text = before.trim();
    before = '';
    if (text !== '' && !text.startsWith('!')) joined.push({ number: at + 1, text });
  }
  return joined;
}
