import type { SourcePlace } from '../syntax.js';
import type { ElementPath } from './element-tree.js';

/** Table variable with the names of the events that MAP$ EVENTUAL-AREA chose. Source: reference/4.3. */
export const EVENT_VARIABLE = '$EVENT$';

export type Definition =
  | GroupDefinition
  | AreaDefinition
  | EventualAreaDefinition
  | ExecuteDefinition
  | AbendDefinition
  | AbendAtDefinition;

export interface GroupDefinition extends SourcePlace {
  readonly kind: 'group';
  readonly label: string | undefined;
  /** Element that the group enters; undefined: the current element. */
  readonly with: ElementPath | undefined;
  /** True to search the whole document for the elements. */
  readonly top: boolean;
  /** Undefined: the first element only. */
  readonly occurs: number | 'unlimited' | undefined;
  readonly count: string | undefined;
  /** The group has output only while this event is current. */
  readonly event: string | undefined;
  readonly children: readonly Definition[];
  /** Output for one missing occurrence: blanks and zeros. */
  readonly fill: string;
}

export interface Structure extends GroupDefinition {
  readonly label: string;
}

export const areaContents = [
  'X',
  '9',
  'S9',
  'ONLY9',
  'ONLY9-LEFT-ALIGNED',
  'BASE64',
  'OFFSET-LENGTH',
  'OFFSET-LENGTH-TEXT',
  'OFFSET-LENGTH-BINARY',
] as const;

export type AreaContent = (typeof areaContents)[number];

export interface AreaDefinition extends SourcePlace {
  readonly kind: 'area';
  readonly source: AreaSource;
  readonly content: AreaContent;
  /** In Unicode code points; undefined: the length of the value (only for areas outside the record). */
  readonly length: number | undefined;
  readonly pattern: AreaPattern | undefined;
  readonly inRecord: boolean;
  readonly target: VariableTarget | undefined;
  /** Variable that the area sets in a mapping to variables; undefined for constants and FROM-VARIABLE. */
  readonly fieldVariable: string | undefined;
}

export type AreaSource =
  | { readonly from: 'element'; readonly path: ElementPath | undefined }
  | { readonly from: 'attribute'; readonly path: ElementPath | undefined; readonly attribute: string }
  | { readonly from: 'constant'; readonly text: string }
  | { readonly from: 'variable'; readonly variable: string }
  | { readonly from: 'lastFoundElementName' };

export interface AreaPattern {
  readonly text: string;
  readonly placeholder: string;
}

/** TO-VARIABLE, TO-VARIABLE-ONLY (replace), TO-TABLE-VARIABLE-ONLY (append). */
export interface VariableTarget {
  readonly variable: string;
  readonly mode: 'replace' | 'append';
}

export interface EventualAreaDefinition extends SourcePlace {
  readonly kind: 'eventualArea';
  readonly alternatives: readonly EventualAlternative[];
}

export interface EventualAlternative {
  readonly constant: string;
  /** Undefined: chosen if no earlier alternative applies. */
  readonly when: EventualCondition | undefined;
  /** Undefined: the event has the name of the element in the condition. */
  readonly event: string | undefined;
}

export type EventualCondition =
  | { readonly kind: 'element'; readonly path: ElementPath }
  | { readonly kind: 'value'; readonly value: string; readonly path: ElementPath | undefined };

export interface ExecuteDefinition extends SourcePlace {
  readonly kind: 'execute';
  readonly label: string;
}

interface AbendDefinition extends SourcePlace {
  readonly kind: 'abend';
}

/** MAP$ ABEND-AT,WITH='element': the scenario abends if the element is present. */
interface AbendAtDefinition extends SourcePlace {
  readonly kind: 'abendAt';
  readonly path: ElementPath;
}
