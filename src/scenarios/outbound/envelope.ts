import type { ElementNode } from '../../lib/documents/element-tree.js';

/** The elements of a SOAP 1.1 fault, and their equivalents in SOAP 1.2 (part 1, section 5.4). */
const faultAreas = [
  { name: 'faultcode', path: ['Code', 'Value'], collapsed: true },
  { name: 'faultstring', path: ['Reason', 'Text'], collapsed: false },
  { name: 'faultactor', path: ['Role'], collapsed: true },
] as const;

/**
 * Gives the fault of a SOAP 1.2 envelope the elements of a SOAP 1.1 fault: `faultcode` from Code/Value, `faultstring`
 * from the first Text of Reason, `faultactor` from Role. They stand before its own elements, because Detail may hold a
 * SOAP 1.1 fault of somebody else. Names count by their local part, whatever the prefix. Any other document comes back
 * as it is. Pure: nothing of the given tree changes.
 *
 * White space around Value (a QName) and Role (a URI) is not part of them (XML Schema part 2, whiteSpace collapse).
 */
export function withSoapFaultNames(root: ElementNode): ElementNode {
  if (root.localName !== 'Envelope') return root;
  const body = child(root, 'Body');
  const fault = body && child(body, 'Fault');
  if (!body || !fault || !(child(fault, 'Code') || child(fault, 'Reason'))) return root;

  const added: ElementNode[] = [];
  for (const { name, path, collapsed } of faultAreas) {
    const source = descend(fault, path);
    if (source === undefined || child(fault, name)) continue;
    const text = collapsed ? source.text.trim() : source.text;
    added.push({ name, localName: name, attributes: new Map(), children: [], text });
  }
  if (added.length === 0) return root;
  const namedFault = { ...fault, children: [...added, ...fault.children] };
  return replaceChild(root, body, replaceChild(body, fault, namedFault));
}

function child(parent: ElementNode, localName: string): ElementNode | undefined {
  return parent.children.find((element) => element.localName === localName);
}

function descend(from: ElementNode, path: readonly string[]): ElementNode | undefined {
  let element: ElementNode | undefined = from;
  for (const localName of path) element = element && child(element, localName);
  return element;
}

function replaceChild(parent: ElementNode, old: ElementNode, replacement: ElementNode): ElementNode {
  return { ...parent, children: parent.children.map((element) => (element === old ? replacement : element)) };
}
