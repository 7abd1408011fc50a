import type { ElementNode } from '../../lib/documents/element-tree.js';
import { xmlReading } from '../../lib/documents/xml-document.js';
import { XmlError } from '../../lib/documents/xml-error.js';
import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import { withSoapFaultNames } from '../outbound/envelope.js';
import { jsonReading } from './json-document.js';
import { queryReading } from './query-document.js';

export const documentFormats = ['XML', 'JSON', 'QUERY'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** What a document that is to be mapped may be; one past any of these is unreadable. Attributes: of one element. */
const documentLimits = { bytes: 2_097_152, depth: 64, elements: 100_000, attributes: 256 } as const;

/** Told why a document cannot be read, in words that hold nothing of it. */
type OnUnreadable = (reason: string) => void;

type DocumentReader = (text: string, onUnreadable: OnUnreadable) => RestingWork<ElementNode | undefined>;

const readers: Readonly<Record<DocumentFormat, DocumentReader>> = {
  XML: xmlDocumentReading,
  *JSON(text, onUnreadable) {
    return (yield* jsonReading(text, documentLimits)) ?? refused(onUnreadable, unreadable.json);
  },
  *QUERY(text, onUnreadable) {
    return (yield* queryReading(text, documentLimits)) ?? refused(onUnreadable, unreadable.query);
  },
};

const unreadable = {
  json: `not JSON, nested deeper than ${documentLimits.depth} levels, or more than ${documentLimits.elements} elements`,
  query: `malformed percent-encoding, or more than ${documentLimits.elements} parameters`,
} as const;

/**
 * Reads a document into a tree of elements; undefined if it cannot be read (it is then mapped as an empty one). The
 * fault of a SOAP 1.2 envelope also gets the elements of SOAP 1.1, see `withSoapFaultNames`.
 */
export function* documentReading(
  format: DocumentFormat,
  text: string,
  onUnreadable: OnUnreadable = () => {},
): RestingWork<ElementNode | undefined> {
  if (Buffer.byteLength(text) > documentLimits.bytes) {
    return refused(onUnreadable, `longer than ${documentLimits.bytes} bytes`);
  }
  return yield* readers[format](text, onUnreadable);
}

function* xmlDocumentReading(text: string, onUnreadable: OnUnreadable): RestingWork<ElementNode | undefined> {
  try {
    return withSoapFaultNames(yield* xmlReading(text, documentLimits));
  } catch (fault) {
    if (!(fault instanceof XmlError)) throw fault;
    return refused(onUnreadable, `${fault.line}:${fault.column}: ${withoutNames(fault.reason)}`);
  }
}

/** saxes names what it objects to behind a colon: `unclosed tag: name`. */
function withoutNames(reason: string): string {
  return reason.replace(/: .*/s, '');
}

function refused(onUnreadable: OnUnreadable, reason: string): undefined {
  onUnreadable(reason);
}
