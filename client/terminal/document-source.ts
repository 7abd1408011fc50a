export interface DocumentFacts {
  readonly number: number;
  readonly name: string;
  /** ISO 8601. */
  readonly printed: string;
  readonly pages: number;
  readonly isComplete: boolean;
  /** Not opened in this session. */
  readonly isNew: boolean;
}

/** Use of the spool by documents that were not opened. */
export interface SpoolFacts {
  readonly percent: number;
  readonly isNearlyFull: boolean;
}

interface DocumentList {
  readonly documents: readonly DocumentFacts[];
  readonly spool: SpoolFacts;
}

export class DocumentSource {
  readonly #path: (page: string) => string;

  constructor(path: string) {
    const [, folder = '', code = ''] = /^(.*\/)[^/]*\+\+[^=]*=(.*)$/.exec(path) ?? [];
    this.#path = (page) => `${folder}${page}++PrintSvcSession=${code}`;
  }

  addressOf(number: number, type: 'pdf' | 'txt'): string {
    return `${this.#path(`document.${type}`)}?document=${number}`;
  }

  open(number: number, type: 'pdf' | 'txt'): void {
    window.open(this.addressOf(number, type), '_blank', 'noopener');
  }

  async list(): Promise<DocumentList> {
    const response = await fetch(this.#path('documents'), { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()) as DocumentList;
  }
}
