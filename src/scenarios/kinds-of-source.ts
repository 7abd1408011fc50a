import { parseScenarioSource } from './parser.js';
import { type ScenarioKind, scenarioKinds } from './scenario-kind.js';

/** The kinds of the scenarios that a source begins, whether they assemble or not. */
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
