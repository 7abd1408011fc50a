import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import { joinStatementLines, type StatementLine } from './statement-lines.js';
import {
  type Operand,
  type ScenarioKind,
  type SourceInstruction,
  type SourcePlace,
  type StringOperand,
  scenarioKinds,
} from './syntax.js';

interface ParsedSource {
  readonly instructions: readonly SourceInstruction[];
  readonly diagnostics: readonly SourceDiagnostic[];
}

export const parserLimits = {
  sourceLength: 1024 * 1024,
  statementLength: 65_536,
  /** Reported errors per source and kind. */
  faults: 100,
  listDepth: 16,
  labelLength: 63,
} as const;

const LABEL = /^[A-Z@#$_][A-Z0-9@#$_-]*$/i;

/**
 * Reads a scenario source into instructions. Never throws: each error becomes a diagnostic and its statement is
 * omitted.
 */
export function parseScenarioSource(source: string, file: string): ParsedSource {
  const diagnostics: SourceDiagnostic[] = [];
  const instructions = [...parsedStatements(source, file, diagnostics)].filter((each) => each !== undefined);
  return { instructions, diagnostics };
}

export function* parsedStatements(
  source: string,
  file: string,
  diagnostics: SourceDiagnostic[],
): Generator<SourceInstruction | undefined> {
  const report = (place: SourcePlace, message: string): undefined => {
    if (diagnostics.length >= parserLimits.faults) return;
    diagnostics.push({ file, line: place.line, column: place.column, message, severity: 'error' });
  };
  if (source.length > parserLimits.sourceLength)
    return report({ line: 1, column: 1 }, `the source is longer than ${parserLimits.sourceLength} characters`);
  for (const statement of joinStatementLines(source, report)) yield parsedStatement(statement, report);
}

function parsedStatement(
  statement: StatementLine,
  report: (place: SourcePlace, message: string) => undefined,
): SourceInstruction | undefined {
  if (statement.text.length > parserLimits.statementLength)
    return report(statement.placeOf(0), `the statement is longer than ${parserLimits.statementLength} characters`);
  try {
    return new StatementParser(statement).parse();
  } catch (fault) {
    if (!(fault instanceof ScenarioSyntaxError)) throw fault;
    return report(statement.placeOf(fault.index), fault.message);
  }
}

class ScenarioSyntaxError extends Error {
  constructor(
    readonly index: number,
    message: string,
  ) {
    super(message);
  }
}

class StatementParser {
  readonly #text: string;
  #at = 0;

  constructor(readonly statement: StatementLine) {
    this.#text = statement.text;
  }

  parse(): SourceInstruction {
    const label = this.#label();
    this.#skipBlanks();
    const place = this.#place();
    const name = this.#until(/[\s,()']/g).toUpperCase();
    if (name === '') {
      throw new ScenarioSyntaxError(
        this.#at,
        label === undefined ? 'an instruction is missing' : `label ${label} has no instruction`,
      );
    }
    if (this.#at < this.#text.length && !this.#atBlank()) {
      throw new ScenarioSyntaxError(this.#at, `a blank is missing after the instruction ${name}`);
    }
    this.#skipBlanks();
    return { label, name, operands: this.#operands(), ...place };
  }

  #label(): string | undefined {
    if (this.#text === '' || this.#atBlank()) return undefined;
    const label = this.#until(/\s/g);
    if (label.endsWith('$') && label.length > 1) {
      throw new ScenarioSyntaxError(
        0,
        `${label.toUpperCase()} is in column 1, which is reserved for labels: put a blank before it`,
      );
    }
    if (!LABEL.test(label)) {
      throw new ScenarioSyntaxError(0, `"${label}" is not a label: a letter, then letters, digits and @ # $ _ -`);
    }
    if (label.length > parserLimits.labelLength) {
      throw new ScenarioSyntaxError(0, `the label is longer than ${parserLimits.labelLength} characters`);
    }
    return label.toUpperCase();
  }

  /** A blank outside parentheses ends the operands; the rest of the statement is a remark. */
  #operands(): Operand[] {
    if (this.#at >= this.#text.length) return [];
    const operands = [this.#operand(0)];
    while (this.#text[this.#at] === ',') {
      this.#at++;
      operands.push(this.#operand(0));
    }
    if (this.#at < this.#text.length && !this.#atBlank()) {
      throw new ScenarioSyntaxError(
        this.#at,
        `"${this.#text[this.#at]}" is not allowed here: expected a comma or a blank`,
      );
    }
    return operands;
  }

  #operand(depth: number): Operand {
    const place = this.#place();
    if (depth > parserLimits.listDepth) {
      throw new ScenarioSyntaxError(this.#at, `operands are nested more than ${parserLimits.listDepth} deep`);
    }
    const character = this.#text[this.#at];
    if (character === "'") return this.#string();
    if (character === '(') return this.#list(depth);
    const text = this.#word();
    if (text === '') {
      if (this.#text[this.#at] === '=') throw new ScenarioSyntaxError(this.#at, 'the name before "=" is missing');
      return { kind: 'omitted', ...place };
    }
    if (this.#text[this.#at] !== '=') return { kind: 'word', word: text.toUpperCase(), text, ...place };
    this.#at++;
    return { kind: 'keyword', name: text.toUpperCase(), value: this.#keywordValue(depth + 1), ...place };
  }

  /** The value of `VAR==WITH` is the word `=WITH`. */
  #keywordValue(depth: number): Operand {
    if (this.#text[this.#at] !== '=') return this.#operand(depth);
    const place = this.#place();
    this.#at++;
    const text = `=${this.#word()}`;
    return { kind: 'word', word: text.toUpperCase(), text, ...place };
  }

  /** A word may end with a quoted part, such as `X'00'`. */
  #word(): string {
    const text = this.#until(/[\s,()'=]/g);
    if (text.length === 1 && this.#text[this.#at] === "'") return `${text}'${this.#string().text}'`;
    return text;
  }

  #string(): StringOperand {
    const place = this.#place();
    const start = this.#at++;
    let text = '';
    for (;;) {
      const end = this.#text.indexOf("'", this.#at);
      if (end < 0) throw new ScenarioSyntaxError(start, 'the string that begins here is not closed');
      text += this.#text.slice(this.#at, end);
      this.#at = end + 1;
      if (this.#text[this.#at] !== "'") return { kind: 'string', text, ...place };
      text += "'";
      this.#at++;
    }
  }

  #list(depth: number): Operand {
    const place = this.#place();
    const start = this.#at++;
    if (depth >= parserLimits.listDepth) {
      throw new ScenarioSyntaxError(start, `lists are nested more than ${parserLimits.listDepth} deep`);
    }
    const items: Operand[] = [];
    for (;;) {
      this.#skipBlanks();
      items.push(this.#operand(depth + 1));
      this.#skipBlanks();
      const character = this.#text[this.#at];
      if (character === undefined)
        throw new ScenarioSyntaxError(start, 'the parenthesis that opens here is not closed');
      if (character !== ',' && character !== ')') {
        throw new ScenarioSyntaxError(this.#at, `"${character}" is not allowed here: expected a comma or ")"`);
      }
      this.#at++;
      if (character === ')') return { kind: 'list', items, ...place };
    }
  }

  #until(stop: RegExp): string {
    stop.lastIndex = this.#at;
    const end = stop.exec(this.#text)?.index ?? this.#text.length;
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return text;
  }

  #atBlank(): boolean {
    return /\s/.test(this.#text.charAt(this.#at));
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && this.#atBlank()) this.#at++;
  }

  #place(): SourcePlace {
    return this.statement.placeOf(this.#at);
  }
}

/** Kinds of the scenarios in a source, also if they do not assemble. */
export function kindsOfSource(source: string, file: string): ReadonlySet<ScenarioKind> {
  const kinds = new Set<ScenarioKind>();
  for (const { name, operands } of parseScenarioSource(source, file).instructions) {
    if (name !== 'SCENARIO') continue;
    for (const operand of operands) {
      const kind = scenarioKinds.find((each) => operand.kind === 'word' && operand.word === each);
      if (kind !== undefined) kinds.add(kind);
    }
  }
  return kinds;
}
