/** What the server tells of a document. */
export interface DocumentFacts {
  readonly number: number;
  readonly name: string;
  /** ISO 8601. */
  readonly printed: string;
  readonly pages: number;
  readonly isComplete: boolean;
  /** Nobody has opened it in this session. */
  readonly isNew: boolean;
}

/** How full the printer's spool is of documents that nobody has opened. */
export interface SpoolFacts {
  readonly percent: number;
  readonly isNearlyFull: boolean;
}

interface DocumentList {
  readonly documents: readonly DocumentFacts[];
  readonly spool: SpoolFacts;
}

/** Where the documents of a session's printer are. */
export class DocumentSource {
  readonly #path: (page: string) => string;

  /** @param path of the session, `/w2h/PAGE++SvcSession=<code>` */
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

  /** Rejects where the server does not tell. */
  async list(): Promise<DocumentList> {
    const response = await fetch(this.#path('documents'), { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()) as DocumentList;
  }
}
