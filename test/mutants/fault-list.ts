import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** A fault that is put into the code on purpose, to see whether a test notices. */
export interface PlantedFault {
  /** The folder of src/ that the file is in, `machines` or `client`. */
  readonly room: string;
  /** What goes wrong with it. */
  readonly fault: string;
  readonly file: string;
  /** The text that is replaced; it stands in the file once. */
  readonly find: string;
  readonly replace: string;
  /** Below test/, without `.test.ts`: those that should notice. */
  readonly tests: readonly string[];
  /** Why no test notices; undefined: one must. */
  readonly survives: string | undefined;
}

const texts = ['fault', 'file', 'find', 'replace'] as const;
const members: ReadonlySet<string> = new Set([...texts, 'tests', 'survives']);

/**
 * The faults of `<folder>/<room>.yaml`, in the order of their names.
 * @throws Error in words where a list is not as it must be
 */
export function readFaultLists(folder: string): readonly PlantedFault[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((name) => {
    const list: unknown = parse(readFileSync(join(folder, name), 'utf8'));
    if (!Array.isArray(list)) throw new Error(`${name}: a list of faults was expected`);
    return list.map((entry: unknown, index) => plantedFault(entry, basename(name, '.yaml'), `${name}, ${index + 1}`));
  });
}

function plantedFault(entry: unknown, room: string, place: string): PlantedFault {
  const given = new Map(Object.entries(entry ?? {}));
  const stranger = [...given.keys()].find((key) => !members.has(key));
  if (stranger !== undefined) throw new Error(`${place}: ${stranger} is not known`);
  const [fault = '', file = '', find = '', replace = ''] = texts.map((key) => {
    const text = given.get(key);
    if (typeof text !== 'string' || (text === '' && key !== 'replace')) throw new Error(`${place}: ${key} is missing`);
    return text;
  });
  const tests = given.get('tests');
  const survives = given.get('survives');
  if (!Array.isArray(tests) || tests.length === 0 || !tests.every((test) => typeof test === 'string')) {
    throw new Error(`${place}: tests must name those that should notice`);
  }
  if (survives !== undefined && typeof survives !== 'string') throw new Error(`${place}: survives must say why`);
  const isInRoom = file.startsWith(`src/${room}/`) || file.startsWith(`${room}/`);
  if (!isInRoom) throw new Error(`${place}: ${file} is in another room`);
  if (find === replace) throw new Error(`${place}: nothing is replaced`);
  return { room, fault, file, find, replace, tests, survives };
}

/** Why the fault cannot be put into the project any more; undefined: it can. */
export function staleness({ file, find, tests }: PlantedFault, project: string): string | undefined {
  const source = join(project, file);
  if (!existsSync(source)) return `${file} is gone`;
  const places = readFileSync(source, 'utf8').split(find).length - 1;
  if (places !== 1) return `${file}: the text to find stands there ${places} times`;
  const missing = tests.find((test) => !existsSync(join(project, 'test', `${test}.test.ts`)));
  return missing === undefined ? undefined : `test/${missing}.test.ts is gone`;
}
