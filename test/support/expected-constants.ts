import type { AnyNode, CallExpression, Expression, Program, SpreadElement } from 'acorn';
import { parse } from 'acorn';
import { ancestor, full, simple } from 'acorn-walk';

export interface ExpectedConstant {
  readonly name: string;
  readonly line: number;
}

/** Whether the export of that name is a value, not a function or a class. */
export type IsConstant = (specifier: string, name: string) => boolean;

const COMPARISONS = new Set(['<', '<=', '>', '>=', '===', '!==']);

/**
 * Constants of the product in expected values of a test: in the arguments of an assertion (`expect(x).to.equal(HERE)`), and in
 * comparisons inside `expect(x <= HERE)`. A variable of the test whose value is derived from such a constant counts as the constant.
 * Inputs (`expect(admitted(HERE))`) are not expected values.
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

/** Exports of a compiled file that are values. Functions and classes are not among them. */
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

/** A number, or numbers of the same file that are calculated with each other. */
function isNumber(node: AnyNode, numbers: ReadonlySet<string>): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'Identifier') return numbers.has(node.name);
  if (node.type === 'UnaryExpression') return isNumber(node.argument, numbers);
  return node.type === 'BinaryExpression' && isNumber(node.left, numbers) && isNumber(node.right, numbers);
}

/** Numbers of the product that a test imports: a bound or a time, which the test would reach wherever it is. */
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
  /** The name in the test. */
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

/** Adds variables whose value is a constant, a part of one, or calculated from one. */
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

/** The constant that the value of an expression is derived from without a call. */
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
