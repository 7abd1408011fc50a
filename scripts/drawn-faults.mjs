// Selects random faults of the compiled code by a seed.

import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { projectFolder } from './build.mjs';

const boundaries = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const ANOTHER_CODE = "'SVC_ERR_SERVICE_FAILED'";

/**
 * @param files result of `codeFiles`
 * @returns up to `count` faults: file, component, description, offset, and the faulty code
 */
export function drawFaults(files, count, seed) {
  const all = files.flatMap(({ file, room, text }) =>
    changesIn(text).map((change) => ({ file, room, text, ...change })),
  );
  const random = randomNumbers(seed);
  const drawn = [];
  while (drawn.length < count && all.length > 0) {
    const [fault] = all.splice(Math.floor(random() * all.length), 1);
    drawn.push(fault);
  }
  return drawn.map(({ file, room, text, kind, start, end, replacement }) => ({
    file,
    room,
    start,
    fault: `${placeOf(file, text, start)}: ${kind}: ${shown(text.slice(start, end))} -> ${shown(replacement)}`,
    faulty: `${text.slice(0, start)}${replacement}${text.slice(end)}`,
  }));
}

export function changesIn(text) {
  const changes = [];
  const change = (kind, { start, end }, replacement) => changes.push({ kind, start, end, replacement });
  const of = ({ start, end }) => text.slice(start, end);
  const negated = (test) => test && change('condition negated', test, `!(${of(test)})`);
  const returned = ({ body: [first] }) =>
    first && change('early return', { start: first.start, end: first.start }, 'return; ');
  const kinds = {
    IfStatement: ({ test }) => negated(test),
    WhileStatement: ({ test }) => negated(test),
    ConditionalExpression: ({ test }) => negated(test),
    BinaryExpression(node) {
      const { left, right, operator } = node;
      const moved = boundaries[operator];
      if (moved !== undefined) change('boundary moved', node, `${of(left)} ${moved} ${of(right)}`);
    },
    LogicalExpression(node) {
      if (node.operator === '??') return;
      for (const side of [node.left, node.right]) change('condition dropped', node, `(${of(side)})`);
    },
    Literal(node) {
      const { value } = node;
      if (typeof value === 'number') change('constant changed', node, `(${of(node)} + 1)`);
      if (typeof value === 'boolean') change('constant changed', node, String(!value));
      if (typeof value === 'string' && /^SVC_ERR_/.test(value)) change('error code changed', node, ANOTHER_CODE);
    },
    ExpressionStatement(node) {
      if (node.expression.callee?.type !== 'Super') change('statement removed', node, ';');
    },
    AwaitExpression: (node) => change('await removed', node, `(${of(node.argument)})`),
    CallExpression({ arguments: [first, second] }) {
      if (second === undefined || of(first) === of(second)) return;
      change('arguments swapped', { start: first.start, end: second.end }, `${of(second)}, ${of(first)}`);
    },
    FunctionDeclaration: ({ body }) => returned(body),
    MethodDefinition: ({ kind, value: { body } }) => kind === 'constructor' || returned(body),
  };
  full(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => kinds[node.type]?.(node));
  return changes;
}

function placeOf(file, text, offset) {
  const before = text.slice(0, offset).split('\n');
  const mapFile = join(projectFolder, 'dist', `${file}.map`);
  if (!existsSync(mapFile)) return file;
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')));
  const { originalLine } = map.findEntry(before.length - 1, before.at(-1).length);
  return `${file.replace(/\.js$/, '.ts')}:${originalLine + 1}`;
}

function shown(code) {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32, public domain). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
