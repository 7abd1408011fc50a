import type { ElementNode } from '../../soap/element-tree.js';
import { withSoapFaultNames } from '../../soap/envelope.js';
import { readXml } from '../../soap/xml-document.js';
import { XmlFault } from '../../soap/xml-fault.js';
import { readJson } from './json-document.js';
import { readQuery } from './query-document.js';

export const documentFormats = ['XML', 'JSON', 'QUERY'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** What a document that is to be mapped may be; one past any of these is unreadable. Attributes: of one element. */
export const documentLimits = { bytes: 2_097_152, depth: 64, elements: 100_000, attributes: 256 } as const;

const readers: Readonly<Record<DocumentFormat, (text: string) => ElementNode | undefined>> = {
  XML: readXmlDocument,
  JSON: (text) => readJson(text, documentLimits),
  QUERY: (text) => readQuery(text, documentLimits),
};

/**
 * Reads a document into a tree of elements; undefined where it cannot be read (it is then mapped as an empty one). The
 * fault of a SOAP 1.2 envelope also gets the elements of SOAP 1.1, see `withSoapFaultNames`.
 */
export function readDocument(format: DocumentFormat, text: string): ElementNode | undefined {
  return Buffer.byteLength(text) > documentLimits.bytes ? undefined : readers[format](text);
}

function readXmlDocument(text: string): ElementNode | undefined {
  try {
    return withSoapFaultNames(readXml(text, documentLimits));
  } catch (fault) {
    if (fault instanceof XmlFault) return undefined;
    throw fault;
  }
}
