/** A service file that has passed service.schema.json, with the defaults of the schema filled in. */
export interface ServiceDocument {
  readonly service: string;
  readonly description?: string;
  readonly pool?: string;
  readonly quietMilliseconds?: number;
  readonly parameters: Readonly<Record<string, ParameterDocument>>;
  readonly steps?: readonly StepDocument[];
  readonly scenario?: string;
  readonly host?: string;
}

export interface ParameterDocument {
  readonly type: 'string' | 'integer' | 'decimal' | 'boolean' | 'date' | 'file';
  readonly description?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxBytes?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly (string | number | boolean)[];
  readonly required?: boolean;
  readonly default?: string | number | boolean;
  readonly format?: string;
  readonly encoding?: 'text' | 'base64';
  readonly secret: boolean;
}

export interface StepDocument {
  readonly at: string | readonly string[];
  readonly optional: boolean;
  readonly fill?: readonly FillDocument[];
  readonly cursor?: readonly [row: number, column: number];
  readonly type?: string;
  readonly press?: string;
  readonly within: number;
  readonly quietMilliseconds?: number;
  readonly expect?: string | readonly string[];
  readonly outcomes: Readonly<
    Record<string, { readonly status: number; readonly code: string; readonly message?: string }>
  >;
  readonly extract?: Readonly<Record<string, ExtractDocument>>;
  readonly transfer?: TransferDocument;
}

export interface TransferDocument {
  readonly direction: 'send' | 'receive';
  readonly file: string;
  readonly contents: string;
  readonly host: 'tso' | 'vm' | 'cics';
  readonly mode: 'text' | 'binary';
  readonly lines: boolean;
  readonly remap: boolean;
  readonly append: boolean;
  readonly recordFormat?: 'fixed' | 'variable' | 'undefined';
  readonly recordLength?: number;
  readonly blockSize?: number;
  readonly primarySpace?: number;
  readonly secondarySpace?: number;
  readonly spaceUnit?: 'tracks' | 'cylinders' | 'avblock';
  readonly averageBlock?: number;
  readonly otherOptions?: string;
  readonly encoding?: 'text' | 'base64';
  readonly most: number;
  readonly seconds?: number;
  readonly description?: string;
}

export interface FillDocument {
  readonly label?: string;
  readonly at?: readonly [row: number, column: number];
  readonly text: string;
}

export interface ValueDocument {
  readonly as?: 'string' | 'integer' | 'decimal' | 'boolean' | 'date';
  readonly pattern?: string;
  readonly decimalMark?: '.' | ',';
  readonly description?: string;
}

export interface ExtractDocument extends ValueDocument {
  readonly at?: readonly [row: number, column: number];
  readonly length?: number;
  readonly area?: readonly [row: number, column: number, lastRow: number, lastColumn: number];
  readonly rows?: readonly [first: number, last: number];
  readonly columns?: Readonly<Record<string, ValueDocument & { readonly column: number; readonly length: number }>>;
  readonly key?: string;
  readonly until?: unknown;
  readonly next?: string;
  readonly most?: number;
}
