import type { Extract, Table } from '../tn3270/conversation/extract.js';
import type { TransferOptions } from '../tn3270/file-transfer/transfer-options.js';
import type { TextPiece } from '../tn3270/keyboard/text-pieces.js';
import type { RowAndColumn } from '../tn3270/screen/screen-condition.js';
import type { FileEncoding, ParameterDefinition, ParameterFault } from './parameter.js';

/** What a program may ask of a host application: a file of the services folder that has passed its checks. */
export interface ServiceDefinition {
  readonly name: string;
  readonly description: string;
  /** Whose sessions it uses. A service without one is walked by those who have a session: signing on and off. */
  readonly pool: string | undefined;
  readonly parameters: ReadonlyMap<string, ParameterDefinition>;
  readonly work: ServiceSteps | ServiceScenario;
}

interface ServiceSteps {
  readonly kind: 'steps';
  readonly steps: readonly ServiceStep[];
}

export interface ServiceScenario {
  readonly kind: 'scenario';
  readonly module: string;
  /** Whose sessions it walks, one of its own for each call; undefined: it has none. */
  readonly host: string | undefined;
}

/** What is typed at the cursor: keys, and texts that are typed as they are. What a parameter holds is never read as a key. */
export type TypedPiece = TextPiece | { readonly kind: 'key'; readonly key: string };

export interface ServiceStep {
  /** Names of screens, one of which must be shown. */
  readonly at: readonly string[];
  /** Left out where none of `at` is shown. */
  readonly optional: boolean;
  readonly fill: readonly FieldFill[];
  readonly cursor: RowAndColumn | undefined;
  readonly type: readonly TypedPiece[];
  readonly press: string | undefined;
  readonly withinMilliseconds: number;
  readonly quietMilliseconds: number | undefined;
  /** Names of screens, one of which must come; undefined: those of the next step. */
  readonly expect: readonly string[] | undefined;
  /** Answers of their own, by the screen that comes. */
  readonly outcomes: ReadonlyMap<string, ServiceAnswer>;
  readonly extract: ReadonlyMap<string, ExtractDefinition>;
  /** In place of what is typed and pressed. */
  readonly transfer: ServiceTransfer | undefined;
}

/** A file between the caller and the host. */
export interface ServiceTransfer {
  readonly options: Omit<TransferOptions, 'hostFile'>;
  /** Its name on the host. */
  readonly file: readonly TextPiece[];
  /** The parameter that is sent, or the name that the answer has for what is received. */
  readonly contents: string;
  /** How they stand in JSON. */
  readonly encoding: FileEncoding;
  readonly remap: boolean;
  /** Of what is received. */
  readonly mostBytes: number;
  /** For the host to begin, and for each of its further steps; undefined: the usual times. */
  readonly milliseconds: number | undefined;
  readonly description: string;
}

/** Steps that somebody sent, or all that is wrong with them; pointers begin at their array. */
export type StepsReading =
  | { readonly kind: 'steps'; readonly steps: readonly ServiceStep[] }
  | { readonly kind: 'faults'; readonly faults: readonly ParameterFault[] };

export interface FieldFill {
  readonly field: { readonly label: string } | { readonly at: RowAndColumn };
  readonly text: readonly TextPiece[];
}

/** What a caller is told where a screen comes that stands for an end of its own. */
export interface ServiceAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: readonly TextPiece[];
}

/** What an answer has under one name. */
export type ExtractDefinition =
  | { readonly kind: 'value'; readonly extract: Extract; readonly description: string }
  | {
      readonly kind: 'table';
      readonly table: Table;
      /** The column that tells rows apart: lists overlap where their last page is a full one. */
      readonly key: string | undefined;
      readonly descriptions: ReadonlyMap<string, string>;
    };
