import type { ElementNode } from '../../lib/documents/element-tree.js';
import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import { localNameOf } from './element-path.js';
import { ELEMENTS_AT_A_STRETCH, type TreeLimits } from './json-document.js';

const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Reads `name=value&…` (application/x-www-form-urlencoded; a leading `?` is passed over) into a root without a name that
 * has one child per parameter. Undefined if the percent-encoding is malformed, or there are too many parameters.
 */
export function* queryReading(
  text: string,
  { elements }: Pick<TreeLimits, 'elements'>,
): RestingWork<ElementNode | undefined> {
  const children: ElementNode[] = [];
  const end = text.length;
  let parameters = 0;
  for (let at = text.startsWith('?') ? 1 : 0; at < end; ) {
    const separator = text.indexOf('&', at);
    const stop = separator < 0 ? end : separator;
    const parameter = readParameter(text.slice(at, stop));
    if (parameter === undefined || children.length >= elements) return undefined;
    if (parameter !== 'empty') children.push(parameter);
    at = stop + 1;
    if (++parameters % ELEMENTS_AT_A_STRETCH === 0) yield;
  }
  return { name: '', localName: '', attributes: noAttributes, children, text: '' };
}

function readParameter(written: string): ElementNode | 'empty' | undefined {
  const equals = written.indexOf('=');
  const name = decoded(equals < 0 ? written : written.slice(0, equals));
  const text = decoded(equals < 0 ? '' : written.slice(equals + 1));
  if (name === undefined || text === undefined) return undefined;
  return name === '' ? 'empty' : { name, localName: localNameOf(name), attributes: noAttributes, children: [], text };
}

function decoded(written: string): string | undefined {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
