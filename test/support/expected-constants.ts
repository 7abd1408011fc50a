import type { AnyNode, CallExpression, Expression, Program, SpreadElement } from 'acorn';
import { parse } from 'acorn';
import { ancestor, full, simple } from 'acorn-walk';

export interface ExpectedConstant {
  readonly name: string;
  readonly line: number;
}

/** True if the export is a value, not a function or class. */
export type IsConstant = (specifier: string, name: string) => boolean;

const COMPARISONS = new Set(['<', '<=', '>', '>=', '===', '!==']);

/**
 * Finds constants of the product in expected values of a test, such as `expect(x).to.equal(HERE)` or `expect(x <=
 * HERE)`. Variables derived from such a constant count too. Inputs (`expect(admitted(HERE))`) do not.
 */
export function expectedConstants(program: Program, isConstant: IsConstant): ExpectedConstant[] {
  const constants = new Map(
    importsOf(program)
      .filter(({ specifier, name }) => isConstant(specifier, name))
      .map(({ local, name }) => [local, name]),
  );
  if (constants.size === 0) return [];
  addDerived(program, constants);
  const found = new Map<number, ExpectedConstant>();
  const search = (node: AnyNode) => {
    for (const { name, start, line } of uses(node, constants)) found.set(start, { name, line });
  };
  full(program, (node) => {
    if (!isCall(node)) return;
    if (isExpect(node)) for (const argument of node.arguments) comparisonsIn(argument).forEach(search);
    else if (node.callee.type === 'MemberExpression' && startsAtExpect(node.callee.object))
      node.arguments.forEach(search);
  });
  return [...found.values()];
}

/** Exported values of a compiled file, without functions and classes. */
export function exportedConstants({ body }: Program): ReadonlyMap<string, { readonly isNumber: boolean }> {
  const found = new Map<string, { readonly isNumber: boolean }>();
  const numbers = new Set<string>();
  for (const node of body) {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== 'Identifier' || !init || /Function|Class/.test(init.type)) continue;
      if (isNumber(init, numbers)) numbers.add(id.name);
      if (declaration !== node) found.set(id.name, { isNumber: numbers.has(id.name) });
    }
  }
  return found;
}

function isNumber(node: AnyNode, numbers: ReadonlySet<string>): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'Identifier') return numbers.has(node.name);
  if (node.type === 'UnaryExpression') return isNumber(node.argument, numbers);
  return node.type === 'BinaryExpression' && isNumber(node.left, numbers) && isNumber(node.right, numbers);
}

/** Finds imported numbers of the product, such as limits and times: a test that uses them passes with any value. */
export function importedNumbers(program: Program, isNumberOf: IsConstant): ExpectedConstant[] {
  return importsOf(program)
    .filter(({ specifier, name }) => isNumberOf(specifier, name))
    .map(({ name, line }) => ({ name, line }));
}

export function parsed(source: string): Program {
  return parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
}

interface ImportedName {
  readonly specifier: string;
  readonly name: string;
  readonly local: string;
  readonly line: number;
}

function importsOf({ body }: Program): ImportedName[] {
  return body.flatMap((node) =>
    node.type !== 'ImportDeclaration'
      ? []
      : node.specifiers.flatMap((one) =>
          one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier'
            ? []
            : {
                specifier: String(node.source.value),
                name: one.imported.name,
                local: one.local.name,
                line: lineOf(one),
              },
        ),
  );
}

function lineOf({ loc }: AnyNode): number {
  return loc?.start.line ?? 0;
}

function addDerived(program: Program, constants: Map<string, string>): void {
  for (let before = -1; before !== constants.size; ) {
    before = constants.size;
    simple(program, {
      VariableDeclarator({ id, init }) {
        const origin = init && originOf(init, constants);
        if (origin === undefined || origin === null) return;
        for (const name of namesIn(id)) if (!constants.has(name)) constants.set(name, origin);
      },
    });
  }
}

function namesIn(pattern: AnyNode): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) => namesIn(one.type === 'Property' ? one.value : one.argument));
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((one) => (one === null ? [] : namesIn(one)));
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left);
  return [];
}

function originOf(node: Expression | SpreadElement, constants: ReadonlyMap<string, string>): string | undefined {
  const first = (...parts: (Expression | SpreadElement | null)[]) => {
    for (const part of parts) {
      const origin = part === null ? undefined : originOf(part, constants);
      if (origin !== undefined) return origin;
    }
    return undefined;
  };
  switch (node.type) {
    case 'Identifier':
      return constants.get(node.name);
    case 'LogicalExpression':
      return first(node.left, node.right);
    case 'BinaryExpression':
      return COMPARISONS.has(node.operator) || node.left.type === 'PrivateIdentifier'
        ? undefined
        : first(node.left, node.right);
    case 'UnaryExpression':
    case 'SpreadElement':
      return first(node.argument);
    case 'TemplateLiteral':
      return first(...node.expressions);
    case 'MemberExpression':
      return node.object.type === 'Super' ? undefined : first(node.object);
    case 'ArrayExpression':
      return first(...node.elements);
    case 'ConditionalExpression':
      return first(node.consequent, node.alternate);
    default:
      return undefined;
  }
}

function* uses(node: AnyNode, constants: ReadonlyMap<string, string>) {
  const found: { name: string; start: number; line: number }[] = [];
  ancestor(node, {
    Identifier(identifier, _, path) {
      const name = constants.get(identifier.name);
      const parent = path.at(-2);
      const isCalled = parent !== undefined && 'callee' in parent && parent.callee === identifier;
      if (name !== undefined && !isCalled) found.push({ name, start: identifier.start, line: lineOf(identifier) });
    },
  });
  yield* found;
}

function comparisonsIn(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  simple(node, {
    BinaryExpression(binary) {
      if (COMPARISONS.has(binary.operator)) found.push(binary);
    },
  });
  return found;
}

function isCall(node: AnyNode): node is CallExpression {
  return node.type === 'CallExpression';
}

function isExpect({ callee }: CallExpression): boolean {
  return callee.type === 'Identifier' && callee.name === 'expect';
}

function startsAtExpect(node: AnyNode): boolean {
  if (isCall(node)) return isExpect(node) || startsAtExpect(node.callee);
  return node.type === 'MemberExpression' && startsAtExpect(node.object);
}
