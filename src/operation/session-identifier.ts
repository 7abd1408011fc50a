const IDENTIFIER = /^([a-z0-9]{1,8})-[0-9a-f]{12}(?![0-9a-f])/;

/** By which operators name a session: no other session of any node has it. @param node undefined: there is only one */
export function sessionIdentifier(node: string | undefined, id: string): string {
  return node === undefined ? id : `${node}-${id}`;
}

/** The node of a session that operators name, or of a trace of it; undefined: there is only one. */
export function nodeOfIdentifier(name: string): string | undefined {
  return IDENTIFIER.exec(name)?.[1];
}
