import type { SourcePlace } from '../syntax.js';
import type { ElementPath } from './element-tree.js';

/** The table variable that collects the names of the events chosen by MAP$ EVENTUAL-AREA. Source: reference/4.3. */
export const EVENT_VARIABLE = '$EVENT$';

/** One line of an output structure, with its content. Source: reference/4.3. */
export type Definition =
  | GroupDefinition
  | AreaDefinition
  | EventualAreaDefinition
  | ExecuteDefinition
  | AbendDefinition
  | AbendAtDefinition;

/** MAP$ BEGIN … MAP$ END. */
export interface GroupDefinition extends SourcePlace {
  readonly kind: 'group';
  readonly label: string | undefined;
  /** The element that the group enters; undefined: it stays at the current one. */
  readonly with: ElementPath | undefined;
  /** The elements are looked for in the whole document. */
  readonly top: boolean;
  /** Undefined: the first element only. */
  readonly occurs: number | 'unlimited' | undefined;
  /** The variable that gets the number of elements found. */
  readonly count: string | undefined;
  /** The event that must be the current one, or the group gives nothing. */
  readonly event: string | undefined;
  /** In output order. */
  readonly children: readonly Definition[];
  /** What one occurrence gives where there is none: blanks and zeros. */
  readonly fill: string;
}

/** An output structure: an outermost group. */
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

/** MAP$ AREA and MAP$ AREA-ATTRIBUTE. */
export interface AreaDefinition extends SourcePlace {
  readonly kind: 'area';
  readonly source: AreaSource;
  readonly content: AreaContent;
  /** Characters (Unicode code points); undefined: as long as the value (only where the area is not in the record). */
  readonly length: number | undefined;
  readonly pattern: AreaPattern | undefined;
  readonly inRecord: boolean;
  readonly target: VariableTarget | undefined;
  /** The variable that the area fills in a mapping to variables; undefined: none (constants, FROM-VARIABLE). */
  readonly fieldVariable: string | undefined;
}

export type AreaSource =
  | { readonly from: 'element'; readonly path: ElementPath | undefined }
  | { readonly from: 'attribute'; readonly path: ElementPath | undefined; readonly attribute: string }
  | { readonly from: 'constant'; readonly text: string }
  | { readonly from: 'variable'; readonly variable: string }
  | { readonly from: 'lastFoundElementName' };

/** FORMAT=('pattern',placeholder). */
export interface AreaPattern {
  readonly text: string;
  /** One character: the placeholder for a character of the value. */
  readonly placeholder: string;
}

/** TO-VARIABLE, TO-VARIABLE-ONLY (replace), TO-TABLE-VARIABLE-ONLY (append). */
export interface VariableTarget {
  readonly variable: string;
  readonly mode: 'replace' | 'append';
}

/** MAP$ EVENTUAL-AREA and the MAP$ ELSETHEN-AREA that follow it. */
export interface EventualAreaDefinition extends SourcePlace {
  readonly kind: 'eventualArea';
  readonly alternatives: readonly EventualAlternative[];
}

export interface EventualAlternative {
  readonly constant: string;
  /** Undefined: chosen where none before it was. */
  readonly when: EventualCondition | undefined;
  /** Undefined: the name of the element that the condition names. */
  readonly event: string | undefined;
}

export type EventualCondition =
  | { readonly kind: 'element'; readonly path: ElementPath }
  | { readonly kind: 'value'; readonly value: string; readonly path: ElementPath | undefined };

/** MAP$ EXECUTE,label. */
export interface ExecuteDefinition extends SourcePlace {
  readonly kind: 'execute';
  readonly label: string;
}

/** MAP$ ABEND: the scenario abends where the mapping comes here. */
interface AbendDefinition extends SourcePlace {
  readonly kind: 'abend';
}

/** MAP$ ABEND-AT,WITH='element': the scenario abends where the element is present. */
interface AbendAtDefinition extends SourcePlace {
  readonly kind: 'abendAt';
  readonly path: ElementPath;
}
