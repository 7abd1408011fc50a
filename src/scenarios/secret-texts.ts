import { isSecretName } from '../lib/secrets/secret-names.js';
import type { ScenarioRequest } from './scenario-outcome.js';
import type { VariableStore } from './variable-store.js';

/** What a run has under names of secrets: in its variables, which runs before it may have left, and in the parameters of its request. */
export function* secretTexts(
  variables: VariableStore,
  { parameters }: Pick<ScenarioRequest, 'parameters'>,
): Generator<string> {
  for (const name of variables.names()) if (isSecretName(name)) yield* variables.texts(name) ?? [];
  for (const [name, values] of parameters) if (isSecretName(name)) yield* values;
}
