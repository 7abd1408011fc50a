const NODE_CODE = /^[a-z0-9]{1,8}$/;
const PREFIX = 'w2h';
const PREFIX_OF_NODE = /^w2h-([a-z0-9]{1,8})$/i;

export function isNodeCode(text: string): boolean {
  return NODE_CODE.test(text);
}

/** Inserted by VIRPLEX-CODE directly before a page name. Undefined for a single node. */
export function prefixCodeOf(node: string | undefined): string {
  return node === undefined ? `${PREFIX}/` : `${PREFIX}-${node}/`;
}

export function nodeOfPrefix(directory: string): string | undefined {
  return PREFIX_OF_NODE.exec(directory)?.[1]?.toLowerCase();
}

/** Path without the node: `w2h-<node>` becomes `w2h`. */
export function withoutNode(directories: readonly string[]): readonly string[] {
  const [first = '', ...others] = directories;
  return nodeOfPrefix(first) === undefined ? directories : [PREFIX, ...others];
}
