import { withYamlValue } from '../lib/documents/yaml-edit.js';
import type { ServiceDocument, StepDocument } from './service-document.js';

type Names = string | readonly string[];

/**
 * The file of a service under another name, with a pool, and with other names of its screens; its comments stay.
 * @param source without faults
 * @param document what it says
 */
export function publishedService(
  source: string,
  document: ServiceDocument,
  { name, pool, renamed }: { name: string; pool: string; renamed: ReadonlyMap<string, string> },
): string {
  const { service: _, description, pool: __, steps, ...rest } = document;
  const published = {
    service: name,
    ...(description === undefined ? {} : { description }),
    pool,
    ...rest,
    ...(steps === undefined ? {} : { steps: steps.map((step) => renamedStep(step, renamed)) }),
  };
  return withYamlValue(source, published);
}

function renamedStep(step: StepDocument, renamed: ReadonlyMap<string, string>): StepDocument {
  const otherName = (name: string) => renamed.get(name) ?? name;
  const otherNames = (names: Names): Names =>
    typeof names === 'string' ? otherName(names) : names.map((name) => otherName(name));
  const { at, expect, outcomes } = step;
  return {
    ...step,
    at: otherNames(at),
    ...(expect === undefined ? {} : { expect: otherNames(expect) }),
    ...(outcomes === undefined
      ? {}
      : { outcomes: Object.fromEntries(Object.entries(outcomes).map(([key, value]) => [otherName(key), value])) }),
  };
}
