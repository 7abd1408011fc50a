import type { Extract, Table } from '../tn3270/conversation/extract.js';
import type { TransferOptions } from '../tn3270/file-transfer/transfer-options.js';
import type { TextOrParameter } from '../tn3270/keyboard/text-pieces.js';
import type { RowAndColumn } from '../tn3270/screen/screen-condition.js';
import type { FileEncoding, ParameterDefinition, ParameterFault } from './parameter.js';

export interface ServiceDefinition {
  readonly name: string;
  readonly description: string;
  /** Pool whose sessions the service uses. Services without a pool sign sessions on and off. */
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
  /** Host of the session that each call gets; undefined if the scenario needs none. */
  readonly host: string | undefined;
}

/** Input at the cursor: keys and literal text. Parameter values are never interpreted as keys. */
export type TypedPiece = TextOrParameter | { readonly kind: 'key'; readonly key: string };

export interface ServiceStep {
  readonly at: readonly string[];
  /** Skip the step if none of `at` is displayed. */
  readonly optional: boolean;
  readonly fill: readonly FieldFill[];
  readonly cursor: RowAndColumn | undefined;
  readonly type: readonly TypedPiece[];
  readonly press: string | undefined;
  readonly withinMilliseconds: number;
  readonly quietMilliseconds: number | undefined;
  /** Names of screens, one of which must follow; undefined for those of the next step. */
  readonly expect: readonly string[] | undefined;
  readonly outcomes: ReadonlyMap<string, ServiceAnswer>;
  readonly extract: ReadonlyMap<string, ExtractDefinition>;
  /** Replaces fields, typing and key. */
  readonly transfer: ServiceTransfer | undefined;
}

export interface ServiceTransfer {
  readonly options: Omit<TransferOptions, 'hostFile'>;
  readonly file: readonly TextOrParameter[];
  /** Parameter to send, or name of the received file in the answer. */
  readonly contents: string;
  readonly encoding: FileEncoding;
  readonly remap: boolean;
  readonly mostBytes: number;
  /** For the start and each later step of the transfer; undefined for the default times. */
  readonly milliseconds: number | undefined;
  readonly description: string;
}

/** Steps from a request, or all faults with JSON pointers relative to the array of steps. */
export type StepsReading =
  | { readonly kind: 'steps'; readonly steps: readonly ServiceStep[] }
  | { readonly kind: 'faults'; readonly faults: readonly ParameterFault[] };

export interface FieldFill {
  readonly field: { readonly label: string } | { readonly at: RowAndColumn };
  readonly text: readonly TextOrParameter[];
}

export interface ServiceAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: readonly TextOrParameter[];
}

export type ExtractDefinition =
  | { readonly kind: 'value'; readonly extract: Extract; readonly description: string }
  | {
      readonly kind: 'table';
      readonly table: Table;
      /** Column that identifies rows: lists overlap if their last page is full. */
      readonly key: string | undefined;
      readonly descriptions: ReadonlyMap<string, string>;
    };
