import { toldWords } from '../words/told-words.js';
import { words } from '../words/words.js';
import type { ServiceFiles } from './model/service-yaml.js';

export interface CheckedService {
  readonly faults: readonly {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly severity: string;
    readonly message: string;
  }[];
  readonly service?: {
    readonly name: string;
    readonly parameters: readonly {
      readonly name: string;
      readonly type: string;
      readonly isSecret: boolean;
      readonly isRequired: boolean;
    }[];
  };
}

export type TrialEnd =
  | { readonly kind: 'done'; readonly extracts: Readonly<Record<string, unknown>> }
  | { readonly kind: 'notBegun'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'stopped';
      readonly reasons: readonly string[];
      readonly picture?: string;
    };

export class ServiceRequestError extends Error {}

export class ServiceRequests {
  readonly #session: string;

  constructor(session: string) {
    this.#session = session;
  }

  /** @throws ServiceRequestError */
  check(files: ServiceFiles): Promise<CheckedService> {
    return this.#post('check', files) as Promise<CheckedService>;
  }

  /** @throws ServiceRequestError */
  try(files: ServiceFiles, values: Readonly<Record<string, unknown>>): Promise<TrialEnd> {
    return this.#post('try', { ...files, values }) as Promise<TrialEnd>;
  }

  /** @throws ServiceRequestError */
  async store(files: ServiceFiles): Promise<void> {
    await this.#post('drafts', files);
  }

  async #post(what: string, body: object): Promise<unknown> {
    let answer: Response;
    try {
      answer = await fetch(`/w2h/services/${what}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ ...body, session: this.#session }),
      });
    } catch {
      throw new ServiceRequestError(words('server.unreachable'));
    }
    const value = (await answer.json().catch(() => undefined)) as unknown;
    if (answer.ok && value !== undefined) return value;
    throw new ServiceRequestError(toldWords(value) ?? words('server.answered', { status: answer.status }));
  }
}
